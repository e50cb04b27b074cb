import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RepositoryAbout } from "../../lib/github/github.ts";
import { type Account, REPOSITORY } from "./github/accounts.ts";
import { violations } from "./github/contract.ts";
import { Emulation } from "./github/emulation.ts";
import {
  type Fault,
  type FaultOptions,
  planFault,
  type PlannedFault,
  type When,
} from "./github/faults.ts";
import { Person } from "./github/person.ts";
import type { GitHubAnswer, GitHubRequest } from "./github/request.ts";
import type { RepositoryState } from "./github/rules.ts";
import type { Settings } from "./github/settings.ts";

export { FAULTS, refusalOf } from "./github/faults.ts";
export type { GitHubAnswer, GitHubRequest } from "./github/request.ts";

type OnRequest = (
  request: GitHubRequest,
  stage: "came" | "done",
) => void | false | Promise<void | false>;

/** An issue on GitHub. */
interface SeenIssue {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  reason: string | null;
  labels: string[];
  assignees: string[];
  isLocked: boolean;
  author: string;
  comments: { author: string; body: string }[];
}

/**
 * GitHub's API on the loopback, served by a third-party emulator: every request is recorded, validated
 * by GitHub's published description, and can be made to fail.
 *
 * ```ts ignore
 * await using github = await githubServer();
 * github.fault("POST /repos/acme/status/issues", FAULTS.badGateway, { isDone: true });
 * await runTask("update", { folder, env: github.env });
 * assertEquals((await github.issues()).map(({ title }) => title), ["🛑 Shop is down"]);
 * assertEquals(github.violations, []);
 * ```
 */
export class GitHubServer implements AsyncDisposable {
  /** Base address of the API. */
  url = "";
  readonly repository: string = REPOSITORY;
  /** Requests of the program, including failed ones, without what people did. */
  readonly requests: GitHubRequest[] = [];
  /** Violations of GitHub's description; a test expects none. */
  readonly violations: string[] = [];
  /**
   * Is awaited when a request arrives, and again after its execution, before the answer. If it returns
   * `false` on arrival, the request is lost.
   */
  onRequest: OnRequest = () => {};
  readonly #emulation = new Emulation();
  readonly #faults: PlannedFault[] = [];
  readonly #server = createServer((incoming, response) => this.#serve(incoming, response));
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  async start(): Promise<void> {
    this.#server.on("connection", (socket) => socket.on("error", () => socket.destroy()));
    // An idle connection must not be closed just as the next request is sent.
    this.#server.keepAliveTimeout = 600_000;
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}${this.#prefix}`;
    await this.#emulation.start(this.url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#emulation[Symbol.asyncDispose]();
  }

  /** The program's token: that of `monitor-bot`. */
  get token(): string {
    return this.account("monitor-bot").token;
  }

  /** Variables with which a run of the program finds this github. */
  get env(): Record<string, string> {
    const { url, token, repository } = this;
    return { GITHUB_API_URL: url, HOST_PAT: token, GITHUB_REPOSITORY: repository };
  }

  /** The state of the repository; changes apply from the next request on. */
  get state(): RepositoryState {
    return this.#emulation.state;
  }

  /** The settings of the repository, with its secrets; changes apply from the next request on. */
  get settings(): Settings {
    return this.#emulation.settings;
  }

  /** Events that workflows were started with. */
  get dispatched(): readonly string[] {
    return this.#emulation.dispatched;
  }

  /** `acme`, `ann`, `monitor-bot`, `github-actions[bot]` or `stranger`; its token, scopes and permissions can be changed. */
  account(login: string): Account {
    return this.#emulation.accounts.find((one) => one.login === login)!;
  }

  /** A person who works on issues in the browser. */
  person(login: "acme" | "ann" | "stranger" | "monitor-bot" | "github-actions[bot]"): Person {
    return new Person(this.#emulation, this.account(login));
  }

  /** Makes requests fail from now on; faults happen in the order of these calls. */
  fault(when: When, fault: Fault, options: FaultOptions = {}): void {
    this.#faults.push(planFault(when, fault, options));
  }

  /** Makes no more requests fail. */
  forgetFaults(): void {
    this.#faults.length = 0;
  }

  /** Requests as `POST /repos/acme/status/issues`, without queries. */
  get asked(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  /** All issues that are there, the oldest first. */
  async issues(): Promise<SeenIssue[]> {
    const { body } = await this.#emulation.asOwner(
      "GET",
      "/issues",
      "state=all&per_page=100&direction=asc",
    );
    const there = (body as { number: number }[]).filter(({ number }) =>
      !this.#emulation.isGone(number)
    );
    return await Promise.all(there.map(({ number }) => this.issue(number)));
  }

  async issue(number: number): Promise<SeenIssue> {
    // deno-lint-ignore no-explicit-any
    const { body: issue } = await this.#emulation.asOwner("GET", `/issues/${number}`) as any;
    const { body: comments } = await this.#emulation.asOwner(
      "GET",
      `/issues/${number}/comments`,
      "per_page=100",
    );
    const isDuplicate = this.#emulation.duplicates.has(number);
    return {
      number,
      title: issue.title,
      body: issue.body ?? "",
      state: issue.state,
      reason: isDuplicate ? "duplicate" : issue.state_reason,
      labels: issue.labels.map(({ name }: { name: string }) => name),
      assignees: issue.assignees.map(({ login }: { login: string }) => login),
      isLocked: issue.locked,
      author: issue.user.login,
      comments: (comments as { user: { login: string }; body: string }[]).map(({ user, body }) => ({
        author: user.login,
        body,
      })),
    };
  }

  /** Reactions to a comment, as `+1 monitor-bot`. */
  reactions(comment: number): string[] {
    return this.#emulation.reactions.list(`/issues/comments/${comment}`);
  }

  /** The repository's own description. */
  async about(): Promise<RepositoryAbout> {
    const { body } = await this.#emulation.asOwner("GET", "");
    const { description, homepage, topics } = body as RepositoryAbout;
    return { description: description ?? "", homepage: homepage ?? "", topics };
  }

  /** Names of the labels that are there. */
  async labels(): Promise<string[]> {
    const { body } = await this.#emulation.asOwner("GET", "/labels", "per_page=100");
    return (body as { name: string }[]).map(({ name }) => name);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const request = await this.#read(incoming);
      this.requests.push(request);
      this.violations.push(...await violations(request));
      if (await this.onRequest(request, "came") === false) return;
      const planned = this.#faults.find((one) => one.times > 0 && one.matches(request));
      if (planned !== undefined) planned.times--;
      const answer = planned === undefined || planned.isDone
        ? await this.#emulation.answer(request)
        : undefined;
      if (answer !== undefined) await this.onRequest(request, "done");
      const given = planned?.fault ?? answer!;
      if (given === "hang") return;
      if (given === "reset") return void incoming.socket.resetAndDestroy();
      send(response, given);
    } catch (error) {
      // The client has gone.
      if (error instanceof Error && error.message === "aborted") return;
      send(response, { status: 500, body: `GitHub server of the tests: ${error}` });
      this.violations.push(String(error));
    }
  }

  async #read(incoming: IncomingMessage): Promise<GitHubRequest> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const text = new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer());
    const { pathname, searchParams } = new URL(incoming.url!, "http://localhost");
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
    const request: GitHubRequest = {
      method: incoming.method!,
      // GraphQL is next to the prefix of enterprise servers, not below it.
      path: pathname === "/api/graphql" ? "/graphql" : pathname.slice(this.#prefix.length),
      query: searchParams,
      headers: Object.fromEntries(headers),
      body: text === "" ? undefined : JSON.parse(text),
    };
    return { ...request, login: this.#emulation.accountOf(request)?.login };
  }
}

function send(response: ServerResponse, { status, body, headers = {} }: GitHubAnswer): void {
  const isText = typeof body === "string";
  const type = isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
  response.writeHead(status, {
    ...(body === undefined ? {} : { "content-type": type }),
    "x-github-request-id": "0000:00000:0000000:0000000:00000000",
    ...headers,
  });
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
}

/** Starts GitHub; `prefix` is the path of its API, as `/api/v3` on enterprise servers. */
export async function githubServer({ prefix = "" } = {}): Promise<GitHubServer> {
  const server = new GitHubServer(prefix);
  await server.start();
  return server;
}
