import { join } from "node:path";
import type { ProgramResult } from "./program.ts";
import { configText, makeRepository, pathsAt } from "./repositories.ts";
import { git, type Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";

export const SECRET = "s3cr&t/välue=1";

/** Encodings of a secret. */
export const SPELLINGS = [
  SECRET,
  encodeURIComponent(SECRET),
  encodeURI(SECRET),
  new TextEncoder().encode(SECRET).toBase64(),
];

/** A server that is down and repeats its request in every form. */
export function tellingSite() {
  const asked: string[] = [];
  const server = httpServer((request) => {
    asked.push(decodeURIComponent(new URL(request.url).pathname));
    const location = `${server.url}/${encodeURIComponent(SECRET)}/again`;
    return new Response(SECRET, { status: 302, headers: { location } });
  });
  return { server, asked };
}

/** Everything a run left behind: output, files, commits. */
export async function everything(
  { stdout, stderr }: ProgramResult,
  folder: string,
): Promise<string> {
  const files = (await pathsAt(folder)).filter((path) => /^(?:history|api)\//.test(path));
  const texts = await Promise.all(files.map((path) => git(folder, "show", `HEAD:${path}`)));
  const log = await git(folder, "log", "--format=%B");
  const job = ["outputs", "summary.md"].map((name) =>
    Deno.readTextFile(join(folder, ".git", "monitor", name)).catch(() => "")
  );
  return [stdout, stderr, log, ...texts, ...await Promise.all(job)].join("\n");
}

export async function repository(scratch: Scratch, url: string): Promise<string> {
  return await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": configText({ [`Shop ${SECRET}`]: `${url}/$KEY`, "Broken": `${url}/$KEY/x` }),
  });
}

export const VALUE = "s3cret väl\nue";
