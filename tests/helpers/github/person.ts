import { type Account, ELSEWHERE, REPOSITORY } from "./accounts.ts";
import type { Emulation } from "./emulation.ts";

interface PersonsIssue {
  id: number;
  number: number;
  title: string;
  body: string;
}

/** A person who works on issues in the browser; these actions are not requests of the program. */
export class Person {
  readonly #emulation: Emulation;
  readonly #account: Account;

  constructor(emulation: Emulation, account: Account) {
    this.#emulation = emulation;
    this.#account = account;
  }

  /** Opens an issue and returns its number. */
  async open(issue: { title: string; body?: string; labels?: string[] }): Promise<number> {
    return (await this.#ask("POST", "/issues", issue)).body!.number;
  }

  /** Comments on an issue and returns the id of the comment. */
  async comment(number: number, body: string): Promise<number> {
    return (await this.#ask("POST", `/issues/${number}/comments`, { body })).body!.id;
  }

  async editComment(id: number, body: string): Promise<void> {
    await this.#ask("PATCH", `/issues/comments/${id}`, { body });
  }

  async deleteComment(id: number): Promise<void> {
    await this.#ask("DELETE", `/issues/comments/${id}`);
  }

  async retitle(number: number, title: string): Promise<void> {
    await this.#ask("PATCH", `/issues/${number}`, { title });
  }

  async edit(number: number, body: string): Promise<void> {
    await this.#ask("PATCH", `/issues/${number}`, { body });
  }

  async close(number: number): Promise<void> {
    await this.#ask("PATCH", `/issues/${number}`, { state: "closed" });
  }

  async reopen(number: number): Promise<void> {
    await this.#ask("PATCH", `/issues/${number}`, { state: "open" });
  }

  async assign(number: number, ...assignees: string[]): Promise<void> {
    await this.#ask("PATCH", `/issues/${number}`, { assignees });
  }

  /** Reacts with 👀. */
  async look(number: number): Promise<void> {
    await this.#ask("POST", `/issues/${number}/reactions`, { content: "eyes" });
  }

  async label(number: number, ...labels: string[]): Promise<void> {
    await this.#ask("PATCH", `/issues/${number}`, { labels });
  }

  async lock(number: number): Promise<void> {
    await this.#ask("PUT", `/issues/${number}/lock`);
  }

  async unlock(number: number): Promise<void> {
    await this.#ask("DELETE", `/issues/${number}/lock`);
  }

  delete(number: number): void {
    this.#emulation.remove(number, "deleted");
  }

  /** Moves an issue to another repository and returns its number there. */
  async transfer(number: number): Promise<number> {
    const { title, body } = (await this.#ask("GET", `/issues/${number}`)).body!;
    const moved = (await this.#ask("POST", "/issues", { title, body }, ELSEWHERE)).body!.number;
    this.#emulation.remove(number, { repository: ELSEWHERE, number: moved });
    return moved;
  }

  /** @throws {Error} If GitHub does not allow this person to do that. */
  async #ask(
    method: string,
    part: string,
    body?: unknown,
    repository = REPOSITORY,
  ): Promise<{ body?: PersonsIssue }> {
    const path = `/repos/${repository}${part}`;
    const headers = { authorization: `token ${this.#account.token}` };
    const answer = await this.#emulation.answer({
      ...{ method, path, query: new URLSearchParams(), headers, body },
    });
    if (answer.status < 400) return { body: answer.body as PersonsIssue };
    throw new Error(`${method} ${path} as ${this.#account.login}: ${JSON.stringify(answer.body)}`);
  }
}
