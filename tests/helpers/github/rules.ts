import type { Account } from "./accounts.ts";
import { refusalOf } from "./faults.ts";
import type { GitHubAnswer, GitHubRequest } from "./request.ts";

/** The state of a repository. */
export interface RepositoryState {
  isPrivate: boolean;
  isArchived: boolean;
  hasIssues: boolean;
}

const NOT_FOUND = refusalOf(404, "Not Found");
const DISABLED = refusalOf(410, "Issues are disabled for this repo");
const ARCHIVED = refusalOf(403, "Repository was archived so is read-only.");
const NO_ADMIN = refusalOf(403, "Must have admin rights to Repository.");

/** The permission that a write needs, by the path in the repository; the default is `issues`. */
const NEEDED: Readonly<Record<string, string>> = {
  "": "administration",
  "/topics": "administration",
  "/dispatches": "contents",
};

/** The real GitHub's reason to refuse a request of an account; `rest` is the path in the repository. */
export function forbidden(
  { method, body }: GitHubRequest,
  rest: string,
  account: Account,
  state: RepositoryState,
): GitHubAnswer | undefined {
  const { role, scopes, permissions } = account;
  const writes = method !== "GET";
  const isScoped = scopes === undefined || scopes.some((one) => /^(?:public_)?repo$/.test(one));
  const seesPrivate = role !== "stranger" && (scopes === undefined || scopes.includes("repo"));
  if (state.isPrivate && !seesPrivate) return NOT_FOUND;
  if (writes && !isScoped) return NOT_FOUND;
  if (writes && state.isArchived) return ARCHIVED;
  const [, setting] = /^\/actions\/(?:organization-)?(secrets|variables)\b/.exec(rest) ?? [];
  const needed = setting ?? NEEDED[rest] ?? "issues";
  if (setting !== undefined && !isScoped) return NOT_FOUND;
  if (setting !== undefined && role === "stranger") return NO_ADMIN;
  if (setting !== undefined && permissions !== undefined) {
    return refusalOf(403, "Resource not accessible by integration", {
      headers: { "x-accepted-github-permissions": `${setting}=${writes ? "write" : "read"}` },
    });
  }
  if (writes && permissions !== undefined && permissions[needed] !== "write") {
    return refusalOf(403, "Resource not accessible by integration", {
      headers: { "x-accepted-github-permissions": `${needed}=write` },
    });
  }
  if (writes && needed === "administration" && permissions === undefined && role !== "owner") {
    return NO_ADMIN;
  }
  if (rest.startsWith("/issues") && !state.hasIssues) return DISABLED;
  if (!writes || role !== "stranger") return undefined;
  if (rest === "/dispatches" || rest.startsWith("/labels")) return NOT_FOUND;
  const isHarmless = method === "POST" &&
    /^\/issues(?:\/\d+\/comments|(?:\/comments)?\/\d+\/reactions)?$/.test(rest);
  const isOwnChange = method === "PATCH" && !("labels" in (body as object));
  return isHarmless || isOwnChange ? undefined : NO_ADMIN;
}

/** Requests that the real GitHub refuses, and the emulator would accept. */
export function invalid(
  { method, body }: GitHubRequest,
  rest: string,
  assignable: readonly string[],
): GitHubAnswer | undefined {
  if (method !== "POST" && method !== "PATCH") return undefined;
  const wish = (body ?? {}) as Record<string, unknown>;
  const faults: unknown[] = [];
  const limit = (resource: string, field: string, most: number) => {
    const value = wish[field];
    if (typeof value !== "string" || value.length <= most) return;
    const message = `${field} is too long (maximum is ${most} characters)`;
    faults.push({ resource, field, code: "custom", message });
  };
  if (rest.startsWith("/labels/")) {
    limit("Label", "description", 100);
    if (!/^[0-9a-f]{6}$/i.test(String(wish["color"] ?? "000000"))) {
      faults.push({ resource: "Label", code: "invalid", field: "color" });
    }
  } else {
    limit("Issue", "title", 256);
    limit("Issue", "body", 65_536);
    for (const value of (wish["labels"] as string[] | undefined) ?? []) {
      if (value.length > 50 || isOnlyEmoji(value)) {
        faults.push({ value, resource: "Label", field: "name", code: "invalid" });
      }
    }
    for (const value of (wish["assignees"] as string[] | undefined) ?? []) {
      if (assignable.includes(value)) continue;
      faults.push({ value, resource: "Issue", field: "assignees", code: "invalid" });
    }
  }
  return faults.length === 0 ? undefined : refusalOf(422, "Validation Failed", { errors: faults });
}

function isOnlyEmoji(text: string): boolean {
  return /^(?:\p{RGI_Emoji}|\s)+$/v.test(text);
}
