/** Writes files that are not there yet into a folder, with the folders that they lie in. */
export class NewFiles {
  readonly #top: string;
  readonly #made = new Set<string>();

  constructor(top: string) {
    this.#top = top;
  }

  /** Writes one, by its path from the folder; `false` where that can't be done. */
  write(path: string, content: Uint8Array): boolean {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    try {
      if (!this.#made.has(parent)) Deno.mkdirSync(`${this.#top}/${parent}`, { recursive: true });
      this.#made.add(parent);
      Deno.writeFileSync(`${this.#top}/${path}`, content, { createNew: true });
      return true;
    } catch {
      return false;
    }
  }
}
