import sodium from "libsodium-wrappers";
import { refusalOf } from "./faults.ts";
import type { GitHubAnswer, GitHubRequest } from "./request.ts";

/** A workflow in GitHub's API. */
interface KnownWorkflow {
  /** The file in `.github/workflows`. */
  file: string;
  name: string;
  state: "active" | "disabled_inactivity" | "disabled_manually" | "disabled_fork";
}

/** A run of a workflow. */
interface KnownRun {
  file: string;
  event: string;
  created: Temporal.Instant;
}

/** How the page is published. */
interface PagesSettings {
  branch: string;
  path: string;
  cname: string | null;
  isHttps: boolean;
  buildType?: "legacy" | "workflow";
}

const NOT_FOUND = refusalOf(404, "Not Found");
const TIME = "2026-01-08T23:48:37Z";

await sodium.ready;

/** The settings of a repository. */
export class Settings {
  /** Secrets as they were sent, by their names. */
  readonly sealed = new Map<string, string>();
  /** Values of variables by their names. */
  readonly variables = new Map<string, string>();
  /** Names of secrets that the organization hands to the repository. */
  organizationSecrets: string[] = [];
  hasActions = true;
  jobsMay: "read" | "write" = "write";
  workflows: KnownWorkflow[] = [];
  runs: KnownRun[] = [];
  pages?: PagesSettings;
  /** When the repository last changed; absent while nothing was pushed. */
  pushed?: Temporal.Instant;
  /** If the branch `main` exists, and if a rule outside of rulesets protects it. */
  isProtected?: boolean;
  /** Rules for branches, by their types. */
  rules: string[] = [];
  readonly #keys = sodium.crypto_box_keypair();
  readonly #id = "568250167242549743";

  /** The value of a secret, decrypted with the private key that only GitHub has. */
  secret(name: string): string {
    const sealed = Uint8Array.fromBase64(this.sealed.get(name)!);
    const { publicKey, privateKey } = this.#keys;
    return sodium.to_string(sodium.crypto_box_seal_open(sealed, publicKey, privateKey));
  }

  /** Answers requests about settings; `undefined` for others. */
  answer(request: GitHubRequest, rest: string, base: string): GitHubAnswer | undefined {
    const [, secret] = /^\/actions\/secrets\/(\w+)$/.exec(rest) ?? [];
    if (request.method === "PUT" && secret !== undefined) return this.#save(secret, request);
    const [, ofVariables, variable] = /^(\/actions\/variables)(?:\/(\w+))?$/.exec(rest) ?? [];
    if (ofVariables !== undefined && request.method !== "GET") {
      return this.#change(variable, request);
    }
    if (request.method !== "GET") return undefined;
    const [, file] = /^\/actions\/workflows\/([^/]+)\/runs$/.exec(rest) ?? [];
    if (file !== undefined) return this.#runsOf(file, request.query);
    if (/^\/rules\/branches\//.test(rest)) {
      return ok(this.rules.map((type) => ({
        type,
        ...{ ruleset_source_type: "Repository", ruleset_source: "acme/status", ruleset_id: 42 },
      })));
    }
    const answer = this.#reads()[rest];
    return answer && paged(answer, request, base);
  }

  #reads(): Record<string, GitHubAnswer> {
    return {
      "/branches/main": this.isProtected === undefined
        ? refusalOf(404, "Branch not found")
        : ok({ name: "main", protected: this.isProtected || this.rules.length > 0 }),
      "/actions/secrets/public-key": ok({ key_id: this.#id, key: this.#keys.publicKey.toBase64() }),
      "/actions/secrets": ok(namesOf([...this.sealed.keys()])),
      "/actions/variables": ok({
        total_count: this.variables.size,
        variables: [...this.variables].map(([name, value]) => (
          { name, value, created_at: TIME, updated_at: TIME }
        )),
      }),
      "/actions/organization-secrets": ok(namesOf(this.organizationSecrets)),
      "/actions/permissions": ok({
        enabled: this.hasActions,
        ...(this.hasActions ? { allowed_actions: "all" } : {}),
        sha_pinning_required: false,
      }),
      "/actions/permissions/workflow": ok({
        default_workflow_permissions: this.jobsMay,
        can_approve_pull_request_reviews: false,
      }),
      "/actions/workflows": ok({
        total_count: this.workflows.length,
        workflows: this.workflows.map((one, index) => workflowOf(one, index)),
      }),
      "/pages": this.pages === undefined ? NOT_FOUND : ok(pagesOf(this.pages)),
    };
  }

  #save(name: string, { body }: GitHubRequest): GitHubAnswer {
    const { encrypted_value: sealed, key_id: id } = body as Record<string, string>;
    if (id !== this.#id) return refusalOf(422, "Key id is invalid");
    const isNew = !this.sealed.has(name);
    this.sealed.set(name, sealed!);
    return isNew ? { status: 201, body: {} } : { status: 204 };
  }

  #change(variable: string | undefined, { method, body }: GitHubRequest): GitHubAnswer {
    const { name = variable!, value } = body as { name?: string; value: string };
    const isThere = this.variables.has(name);
    if (method === "POST" && isThere) return refusalOf(409, "Already exists");
    if (method === "PATCH" && !isThere) return NOT_FOUND;
    this.variables.set(name, value);
    return method === "POST" ? { status: 201, body: {} } : { status: 204 };
  }

  #runsOf(file: string, query: URLSearchParams): GitHubAnswer {
    if (!this.workflows.some((one) => one.file === file)) return NOT_FOUND;
    const since = Date.parse(/^>=(.*)$/.exec(query.get("created") ?? "")?.[1] ?? "1970-01-01");
    const found = this.runs.filter(({ created, ...run }) =>
      run.file === file && run.event === (query.get("event") ?? run.event) &&
      created.epochMilliseconds >= since
    );
    const size = Number(query.get("per_page") ?? 30);
    return ok({
      total_count: found.length,
      workflow_runs: found.slice(0, size).map(({ event, created }, index) => ({
        id: index + 1,
        event,
        created_at: created.toString(),
      })),
    });
  }
}

function ok(body: unknown): GitHubAnswer {
  return { status: 200, body };
}

/** A page of an answer that has a list, with the address of the next one. */
function paged(answer: GitHubAnswer, { path, query }: GitHubRequest, base: string): GitHubAnswer {
  const body = answer.body as Record<string, unknown>;
  const [key, all] = Object.entries(body).find(([, value]) => Array.isArray(value)) ?? [];
  if (key === undefined || body["total_count"] === undefined) return answer;
  const size = Number(query.get("per_page") ?? 30);
  const page = Number(query.get("page") ?? 1);
  const list = all as unknown[];
  const next = new URLSearchParams(query);
  next.set("page", String(page + 1));
  const link = `<${base}${path}?${next}>; rel="next"`;
  return {
    status: 200,
    body: { ...body, [key]: list.slice((page - 1) * size, page * size) },
    headers: list.length > page * size ? { link } : {},
  };
}

function namesOf(names: readonly string[]): unknown {
  const secrets = names.map((name) => ({ name, created_at: TIME, updated_at: TIME }));
  return { total_count: names.length, secrets };
}

function workflowOf({ file, name, state }: KnownWorkflow, index: number): unknown {
  const place = "https://github.com/acme/status";
  return {
    id: index + 1,
    node_id: `W_${index}`,
    name,
    path: `.github/workflows/${file}`,
    state,
    created_at: TIME,
    updated_at: TIME,
    url: `https://api.github.com/repos/acme/status/actions/workflows/${index + 1}`,
    html_url: `${place}/blob/main/.github/workflows/${file}`,
    badge_url: `${place}/workflows/${encodeURIComponent(name)}/badge.svg`,
  };
}

function pagesOf({ branch, path, cname, isHttps, buildType = "legacy" }: PagesSettings): unknown {
  return {
    url: "https://api.github.com/repos/acme/status/pages",
    status: "built",
    cname,
    custom_404: true,
    html_url: "https://acme.github.io/status/",
    build_type: buildType,
    source: { branch, path },
    public: true,
    https_enforced: isHttps,
  };
}
