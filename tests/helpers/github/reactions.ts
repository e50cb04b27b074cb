import { refusalOf } from "./faults.ts";
import type { GitHubAnswer, GitHubRequest } from "./request.ts";

interface Reaction {
  id: number;
  content: string;
  user: { login: string; type: string };
  created_at: string;
}

const KINDS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"];
const NOT_FOUND = refusalOf(404, "Not Found");

/** Reactions to issues and comments, which the emulator does not know. */
export class Reactions {
  readonly #bySubject = new Map<string, Reaction[]>();
  #last = 0;

  /** Answers requests about reactions; `undefined` for others. `exists` is true if a path has a resource. */
  async answer(
    { method, query, body }: GitHubRequest,
    rest: string,
    login: string,
    exists: (path: string) => Promise<boolean>,
  ): Promise<GitHubAnswer | undefined> {
    const [, subject] = /^(\/issues\/(?:comments\/)?\d+)\/reactions$/.exec(rest) ?? [];
    if (subject === undefined) return undefined;
    if (!await exists(subject)) return NOT_FOUND;
    if (method === "POST") return this.#add(subject, (body as { content: string }).content, login);
    const wanted = query.get("content");
    const found = this.#of(subject).filter(({ content }) => content === (wanted ?? content));
    return { status: 200, body: found };
  }

  /** Contents of the reactions to an issue or comment, with their authors. */
  list(subject: string): string[] {
    return this.#of(subject).map(({ content, user }) => `${content} ${user.login}`);
  }

  remove(subject: string, login: string): void {
    this.#bySubject.set(subject, this.#of(subject).filter(({ user }) => user.login !== login));
  }

  /** The roll-up in an issue. */
  count(subject: string): Record<string, number> {
    const own = this.#of(subject);
    const counts = KINDS.map((kind): [string, number] => [
      kind,
      own.filter(({ content }) => content === kind).length,
    ]);
    return { total_count: own.length, ...Object.fromEntries(counts) };
  }

  #of(subject: string): Reaction[] {
    return this.#bySubject.get(subject) ?? [];
  }

  /** 201 if it is new, else 200. */
  #add(subject: string, content: string, login: string): GitHubAnswer {
    const own = this.#of(subject);
    const known = own.find((one) => one.content === content && one.user.login === login);
    if (known !== undefined) return { status: 200, body: known };
    const created_at = Temporal.Now.instant().toString({ smallestUnit: "second" });
    const added = { id: ++this.#last, content, user: { login, type: "User" }, created_at };
    this.#bySubject.set(subject, [...own, added]);
    return { status: 201, body: added };
  }
}
