import { createEmulator } from "emulate";
import { type Account, ELSEWHERE, makeAccounts, REPOSITORY } from "./accounts.ts";
import { refusalOf } from "./faults.ts";
import type { GitHubAnswer, GitHubRequest } from "./request.ts";
import { forbidden, invalid, type RepositoryState } from "./rules.ts";
import { Reactions } from "./reactions.ts";
import { Settings } from "./settings.ts";
import { tagged } from "./tags.ts";

/** The fate of a missing issue: its new place, or deleted. */
type Fate = "deleted" | { repository: string; number: number };

const NOT_FOUND = refusalOf(404, "Not Found");

/** The emulated GitHub, with corrections of known differences from the real one. */
export class Emulation implements AsyncDisposable {
  readonly accounts = makeAccounts();
  readonly state: RepositoryState = { isPrivate: false, isArchived: false, hasIssues: true };
  /** Events that workflows were started with. */
  readonly dispatched: string[] = [];
  readonly duplicates = new Set<number>();
  readonly settings = new Settings();
  readonly reactions = new Reactions();
  /** Address at which others see it. */
  base = "";
  readonly #fates = new Map<number, Fate>();
  #emulator?: { url: string; close(): Promise<void> };
  /** Each request has a connection of its own: the emulator may close an idle one just as the next request is sent. */
  readonly #client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });

  /** Starts it; `base` is the address at which others see it. */
  async start(base: string): Promise<void> {
    this.base = base;
    const tokens = this.accounts.map(({ token, login }) => [token, { login, scopes: ["repo"] }]);
    const repos = [REPOSITORY, ELSEWHERE].map((one) => {
      const [owner, name] = one.split("/");
      return { owner, name, auto_init: false };
    });
    const users = this.accounts.map(({ login }) => ({ login }));
    this.#emulator = await createEmulator({
      service: "github",
      port: 0,
      seed: { tokens: Object.fromEntries(tokens), github: { users, repos } },
    });
    const invited = this.accounts.filter(({ role, permissions }) =>
      role === "collaborator" && permissions === undefined
    );
    for (const { login } of invited) await this.asOwner("PUT", `/collaborators/${login}`, "", {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#emulator?.close();
    this.#client.close();
  }

  /** The account with a token. */
  accountOf({ headers }: GitHubRequest): Account | undefined {
    const token = /^(?:token|bearer) (.*)$/i.exec(headers["authorization"] ?? "")?.[1];
    return this.accounts.find((one) => one.token === token);
  }

  /** The fate of moved and deleted issues. */
  remove(number: number, fate: Fate): void {
    this.#fates.set(number, fate);
  }

  isGone(number: number): boolean {
    return this.#fates.has(number);
  }

  /** Answers as the real github would. */
  async answer(request: GitHubRequest): Promise<GitHubAnswer> {
    const account = this.accountOf(request);
    if (account === undefined) return refusalOf(401, "Bad credentials");
    const given = tagged(request, await this.#answerTo(request, account));
    const { headers = {}, ...answer } = given;
    const { scopes } = account;
    if (scopes === undefined) return { ...answer, headers };
    const ofScopes = { "x-oauth-scopes": scopes.join(", "), "x-accepted-oauth-scopes": "repo" };
    return { ...answer, headers: { ...ofScopes, ...headers } };
  }

  async #answerTo(request: GitHubRequest, account: Account): Promise<GitHubAnswer> {
    const { path, method } = request;
    if (path === "/graphql") return { status: 200, body: { data: { viewer: account } } };
    if (path === "/user" && account.permissions !== undefined) {
      return refusalOf(403, "Resource not accessible by integration");
    }
    const [, repository, rest = ""] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(path) ?? [];
    if (repository === undefined) return await this.forward(request);
    if (repository !== REPOSITORY && repository !== ELSEWHERE) return NOT_FOUND;
    const refused = forbidden(request, rest, account, this.state) ??
      this.#invalid(request, rest);
    if (refused !== undefined) return refused;
    if (rest === "/dispatches" && method === "POST") {
      this.dispatched.push((request.body as { event_type: string }).event_type);
      return { status: 204 };
    }
    const ofSettings = this.settings.answer(request, rest, this.base);
    if (ofSettings !== undefined) return ofSettings;
    const asked = /^\/collaborators\/([^/]+)\/permission$/.exec(rest)?.[1];
    if (asked !== undefined) return this.#permission(decodeURIComponent(asked), account);
    if (rest === "" && method === "GET") return await this.#repository(request, account);
    return repository === REPOSITORY && rest.startsWith("/issues")
      ? await this.#issues(request, rest, account)
      : await this.forward(request);
  }

  /** The emulator does not know custom permissions. */
  #permission(login: string, { role }: Account): GitHubAnswer {
    if (role === "stranger") {
      return refusalOf(403, "Must have push access to view collaborator permission.");
    }
    const found = this.accounts.find((one) => one.login === login);
    const isApp = login.endsWith("[bot]");
    if (found === undefined || isApp) return refusalOf(404, `${login} is not a user`);
    const { permission = { owner: "admin", collaborator: "write", stranger: "read" }[found.role] } =
      found;
    return { status: 200, body: { permission, role_name: permission, user: { login } } };
  }

  async #repository(request: GitHubRequest, { role }: Account): Promise<GitHubAnswer> {
    const { isPrivate, isArchived, hasIssues } = this.state;
    const answer = await this.forward(request);
    const visibility = isPrivate ? "private" : "public";
    const body = {
      ...answer.body as object,
      ...{ private: isPrivate, visibility, archived: isArchived, has_issues: hasIssues },
      pushed_at: this.settings.pushed?.round("second").toString() ?? null,
      permissions: { admin: role === "owner", push: role !== "stranger", pull: true },
    };
    return { ...answer, body };
  }

  #invalid(request: GitHubRequest, rest: string): GitHubAnswer | undefined {
    if (request.method === "GET") return undefined;
    const assignable = this.accounts.filter(({ role }) => role !== "stranger");
    return invalid(request, rest, assignable.map(({ login }) => login));
  }

  async #issues(
    request: GitHubRequest,
    rest: string,
    { role, login }: Account,
  ): Promise<GitHubAnswer> {
    const { method, query } = request;
    const ofReactions = await this.reactions.answer(
      request,
      rest,
      login,
      async (path) => (await this.asOwner("GET", path)).status === 200,
    );
    if (ofReactions !== undefined) return ofReactions;
    if (rest === "/issues/comments") return await this.#allComments(request);
    if (rest.startsWith("/issues/comments/")) return await this.#comment(request, login);
    const [, digits, part = ""] = /^\/issues\/(\d+)(.*)$/.exec(rest) ?? [];
    if (digits === undefined) {
      if (method === "GET") return await this.#list(request);
      // GitHub drops fields that need write access.
      const { title, body } = request.body as Record<string, unknown>;
      return await this.forward(
        role === "stranger" ? { ...request, body: { title, body } } : request,
      );
    }
    const number = Number(digits);
    const fate = this.#fates.get(number);
    if (fate === "deleted") return refusalOf(410, "This issue was deleted");
    if (fate !== undefined) return this.#moved(fate, part);
    if (method === "GET" && part === "/comments") return await this.#comments(number, query);
    if (method === "PUT") return await this.forward({ ...request, body: request.body ?? {} });
    if (method !== "GET" && role === "stranger") {
      const { body } = await this.asOwner("GET", `/issues/${digits}`);
      const issue = body as { locked?: boolean; user?: { login: string } };
      if (part === "/comments" && issue.locked) {
        return refusalOf(403, "Unable to create comment because issue is locked.");
      }
      if (method === "PATCH" && issue.user?.login !== login) {
        return refusalOf(403, "Must have admin rights to Repository.");
      }
    }
    const answer = await this.forward(request);
    const { state, state_reason } = (request.body ?? {}) as Record<string, unknown>;
    if (state_reason === "duplicate") this.duplicates.add(number);
    else if (state !== undefined) this.duplicates.delete(number);
    return answer;
  }

  /** The emulator's representation of an issue. */
  async #allComments({ query }: GitHubRequest): Promise<GitHubAnswer> {
    type Comment = { id: number; created_at: string; updated_at: string };
    const since = Date.parse(query.get("since") ?? "1970-01-01");
    const issues = (await this.#all<{ number: number }>("/issues", "state=all"))
      .filter(({ number }) => !this.isGone(number));
    const all = await Promise.all(
      issues.map(({ number }) => this.#all<Comment>(`/issues/${number}/comments`)),
    );
    const key = query.get("sort") === "updated" ? "updated_at" : "created_at";
    const found = all.flat().filter(({ updated_at }) => Date.parse(updated_at) >= since)
      .sort((one, other) => one[key].localeCompare(other[key]) || one.id - other.id);
    if (query.get("direction") === "desc") found.reverse();
    return this.#page("comments", found, query);
  }

  /** One comment, which whoever wrote it may change. */
  async #comment(request: GitHubRequest, login: string): Promise<GitHubAnswer> {
    const { method, path, body } = request;
    const part = path.slice(`/repos/${REPOSITORY}`.length);
    const { body: comment } = await this.asOwner("GET", part);
    const isOwn = (comment as { user?: { login: string } }).user?.login === login;
    return isOwn && method !== "GET"
      ? await this.asOwner(method, part, "", body)
      : await this.forward(request);
  }

  #path(rest: string): string {
    return `/repos/${REPOSITORY}/issues/${rest}`;
  }

  #moved({ repository, number }: Exclude<Fate, "deleted">, part: string): GitHubAnswer {
    const url = `${this.base}/repos/${repository}/issues/${number}${part}`;
    return { status: 301, headers: { location: url }, body: { message: "Moved Permanently", url } };
  }

  /** The emulator compares times as texts. */
  async #list(request: GitHubRequest): Promise<GitHubAnswer> {
    const query = new URLSearchParams(request.query);
    const since = query.get("since");
    if (since !== null) query.set("since", since.replace(/(?<!\.\d+)Z$/, ".000Z"));
    const answer = await this.forward({ ...request, query });
    const links = answer.headers?.["link"];
    const body = (answer.body as { number: number }[]).filter(({ number }) =>
      !this.#fates.has(number)
    );
    return {
      ...answer,
      body,
      headers: links === undefined ? {} : { link: links.replaceAll(".000Z", "Z") },
    };
  }

  /** The emulator does not know since which moment. */
  async #comments(number: number, query: URLSearchParams): Promise<GitHubAnswer> {
    const since = Date.parse(query.get("since") ?? "1970-01-01");
    const all = (await this.#all<{ updated_at: string }>(`/issues/${number}/comments`))
      .filter(({ updated_at }) => Date.parse(updated_at) >= since);
    return this.#page(`${number}/comments`, all, query);
  }

  /** A page of a list, with the address of the next one. */
  #page(rest: string, all: readonly unknown[], query: URLSearchParams): GitHubAnswer {
    const size = Number(query.get("per_page") ?? 30);
    const page = Number(query.get("page") ?? 1);
    const next = new URLSearchParams(query);
    next.set("page", String(page + 1));
    const link = `<${this.base}${this.#path(rest)}?${next}>; rel="next"`;
    return {
      status: 200,
      body: all.slice((page - 1) * size, page * size),
      headers: all.length > page * size ? { link } : {},
    };
  }

  /** Everything of a list, past all pages and corrections. */
  async #all<T>(part: string, order = ""): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1;; page++) {
      const { body } = await this.asOwner("GET", part, `${order}&per_page=100&page=${page}`);
      found.push(...body as T[]);
      if ((body as T[]).length < 100) return found;
    }
  }

  /** Sends a request to the emulator as the owner of the repository, without rules. */
  asOwner(method: string, part: string, query = "", body?: unknown): Promise<GitHubAnswer> {
    return this.forward({
      ...{ method, body, path: `/repos/${REPOSITORY}${part}`, query: new URLSearchParams(query) },
      headers: { authorization: `token ${this.accounts[0]!.token}` },
    });
  }

  /** Hands a request on to the emulator. */
  async forward({ method, path, query, headers, body }: GitHubRequest): Promise<GitHubAnswer> {
    const from = this.#emulator!.url;
    const answer = await fetch(`${from}${path}?${query}`, {
      client: this.#client,
      method,
      headers: {
        "Content-Type": "application/json",
        Authorization: headers["authorization"] ?? "",
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const association = (login: string, given: string) =>
      this.accounts.find((one) => one.login === login)?.association ?? given;
    // Addresses are those of the server before it, and times are whole seconds.
    const text = (await answer.text()).replaceAll(from, this.base)
      .replaceAll(/(?<="\w+_at":"[^"]{19})\.\d+(?=Z")/g, "");
    const link = answer.headers.get("link")?.replaceAll(from, this.base);
    const related = (_key: string, whole: unknown) => {
      const { user, author_association: given, number } = (whole ?? {}) as Record<string, unknown>;
      const { login } = (user ?? {}) as { login?: string };
      const value = typeof number === "number" && typeof given === "string"
        ? { ...whole as object, reactions: this.reactions.count(`/issues/${number}`) }
        : whole;
      return typeof given !== "string" || login === undefined
        ? value
        : { ...value as object, author_association: association(login, given) };
    };
    return {
      status: answer.status,
      body: text === "" ? undefined : JSON.parse(text, related),
      headers: link === undefined ? {} : { link },
    };
  }
}
