/**
 * Publishes a release of GitHub: `release.ts notes|check|publish TAG`. `notes` prints its notes; `check` says what
 * forbids it; `publish` makes a draft, uploads the files of `dist/assets`, and publishes it, because a release that is
 * published can't be changed any more. `release.ts settings` lists settings on GitHub that the workflow lacks.
 */
import { basename, join } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { ACTION_REPOSITORY } from "../lib/version.ts";

const PROJECT = join(import.meta.dirname!, "..");

/** Where releases are made. */
interface Repository {
  /** Base address of GitHub's API. */
  api: string;
  /** `owner/name`. */
  repository: string;
  token: string;
}

/** The parts of GitHub's answers that are used. */
interface Release {
  id: number;
  draft: boolean;
  tag_name: string;
  upload_url: string;
}

/** Notes of a version: the lines under its heading of the changelog. @throws {Error} If it has none. */
export function releaseNotes(changelog: string, version: string): string {
  const parts = changelog.split(/^## /m);
  const own = parts.find((part) => part.startsWith(`${version} - `));
  const notes = own?.slice(own.indexOf("\n")).trim();
  if (!notes) throw new Error(`CHANGELOG.md has no notes under "## ${version} - DATE"`);
  return notes;
}

/** @throws {Error} If the tag is not that of the sources, or its release is published. */
export async function checkRelease(tag: string, place: Repository): Promise<void> {
  const expected = `v${manifest.version}`;
  if (tag !== expected) throw new Error(`The tag is for ${tag}, but deno.json is ${expected}`);
  const published = (await listReleases(tag, place)).filter(({ draft }) => !draft);
  if (published.length > 0) throw new Error(`${tag} is published: set a new version in deno.json`);
}

/** Lists the settings of the repository, and of that of the template, that the release workflow lacks. */
export async function listMissingSettings(place: Repository): Promise<string[]> {
  const { value: template } = await find("/actions/variables/TEMPLATE_REPOSITORY", place) ?? {};
  const own = { ...place, repository: template };
  const isMissing = {
    "the variable TEMPLATE_REPOSITORY": template === undefined,
    "the secret TEMPLATE_TOKEN": !await find("/actions/secrets/TEMPLATE_TOKEN", place),
    "release immutability": (await find("/immutable-releases", place))?.enabled !== true,
    "Template repository, in that of the template": template === undefined ||
      (await find("", own))?.is_template !== true,
    "Actions that are off, in that of the template": template === undefined ||
      (await find("/actions/permissions", own))?.enabled !== false,
  };
  return Object.entries(isMissing).flatMap(([name, missing]) => missing ? [name] : []);
}

/** Publishes a release of the tag with the files; drafts that an earlier attempt left are removed. */
export async function publishRelease(
  tag: string,
  { notes, files }: { notes: string; files: readonly string[] },
  place: Repository,
): Promise<void> {
  for (const { id, draft } of await listReleases(tag, place)) {
    if (!draft) throw new Error(`${tag} is published already`);
    await request("DELETE", `/releases/${id}`, place);
  }
  const draft = { tag_name: tag, name: tag, body: notes, draft: true };
  const release: Release = await request("POST", "/releases", place, JSON.stringify(draft));
  for (const path of files) {
    const address = `${release.upload_url.replace(/\{.*$/, "")}?name=${basename(path)}`;
    await request("POST", address, place, await Deno.readFile(path));
  }
  const published = JSON.stringify({ draft: false, make_latest: "true" });
  await request("PATCH", `/releases/${release.id}`, place, published);
}

/** Releases of the tag, drafts included. */
async function listReleases(tag: string, place: Repository): Promise<Release[]> {
  const all: Release[] = await request("GET", "/releases?per_page=100", place);
  return all.filter(({ tag_name }) => tag_name === tag);
}

/** Reads a path within the repository; undefined if it does not exist. */
async function find(path: string, place: Repository) {
  try {
    return await request("GET", path, place);
  } catch (error) {
    if (error instanceof Error && error.message.includes(" answered 404")) return undefined;
    throw error;
  }
}

/** Asks GitHub's API; a path is one within the repository. */
async function request(
  method: string,
  path: string,
  { api, repository, token }: Repository,
  body?: string | Uint8Array<ArrayBuffer>,
) {
  const url = /^https?:/.test(path) ? path : `${api}/repos/${repository}${path}`;
  const type = typeof body === "string" ? "application/json" : "application/octet-stream";
  const response = await fetch(url, {
    method,
    headers: {
      "Accept": "application/vnd.github+json",
      "Authorization": `Bearer ${token}`,
      ...body === undefined ? {} : { "Content-Type": type },
    },
    body,
  }).catch((error) => {
    throw new Error(`Cannot reach ${new URL(url).host}: check the network, and GITHUB_API_URL`, {
      cause: error,
    });
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

if (import.meta.main) {
  const [action, tag = ""] = Deno.args;
  const place = {
    api: Deno.env.get("GITHUB_API_URL") ?? "https://api.github.com",
    repository: Deno.env.get("GITHUB_REPOSITORY") ?? ACTION_REPOSITORY,
    token: Deno.env.get("GITHUB_TOKEN") ?? "",
  };
  const print = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
  if (action === "settings") {
    const missing = await listMissingSettings(place);
    print(missing.length === 0 ? "All settings are made" : `Missing: ${missing.join("; ")}`);
    Deno.exit(missing.length === 0 ? 0 : 1);
  }
  const changelog = await Deno.readTextFile(join(PROJECT, ".github", "CHANGELOG.md"));
  const notes = releaseNotes(changelog, tag.slice(1));
  if (action === "notes") print(notes);
  else if (action === "check") await checkRelease(tag, place);
  else {
    const folder = join(PROJECT, "dist", "assets");
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    await publishRelease(tag, { notes, files: names.map((name) => join(folder, name)) }, place);
  }
}
