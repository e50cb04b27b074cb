/** Numbers of issues by incident, as far as they are known; those that a run opens can be waited for. */
export class IssueNumbers extends Map<string, number> {
  readonly #expected = new Map<string, PromiseWithResolvers<void>>();

  /** Makes {@linkcode IssueNumbers.settled} wait for these incidents, until `end` at most. */
  expect(incidents: Iterable<string>, end: Promise<unknown>): void {
    for (const incident of incidents) {
      if (this.has(incident) || this.#expected.has(incident)) continue;
      const expected = Promise.withResolvers<void>();
      this.#expected.set(incident, expected);
      end.then(() => expected.resolve(), () => expected.resolve());
    }
  }

  override set(incident: string, number: number): this {
    this.#expected.get(incident)?.resolve();
    return super.set(incident, number);
  }

  /** Resolves when the number is known, or no longer expected. */
  async settled(incident: string): Promise<void> {
    await this.#expected.get(incident)?.promise;
  }
}
