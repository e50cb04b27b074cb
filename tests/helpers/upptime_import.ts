import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { runTask } from "./program.ts";
import { git } from "./scratch.ts";

/** Upptime's configuration of sites by their names. */
export function upptimeConfig(sites: Readonly<Record<string, string>>, more = ""): string {
  const list = Object.entries(sites).map(([name, url]) => `  - name: ${name}\n    url: ${url}\n`);
  return `owner: acme\nrepo: status\nsites:\n${list.join("")}${more}`;
}

/** A time in May 2026. */
export function may(day: number, clock = "10:00"): string {
  return `2026-05-${String(day).padStart(2, "0")}T${clock}:00.000Z`;
}

export const SHOP = "https://shop.example.com";
export const BLOG = "https://blog.example.com";

/** The files of a folder but git's, by path. */
export async function contents(folder: string): Promise<Map<string, string>> {
  const paths = await git(folder, "ls-files", "-z", "--cached", "--others");
  const files = new Map<string, string>();
  for (const path of paths.split("\0").sort()) {
    const text = await Deno.readTextFile(join(folder, path)).catch(() => undefined);
    if (path !== "" && text !== undefined) files.set(path, text);
  }
  return files;
}

/** The report of an import that succeeds. */
export async function importInto(folder: string, ...args: string[]) {
  const { code, stdout, stderr } = await runTask("import", {
    folder,
    args: ["upptime", "--json", ...args],
  });
  assertEquals(code, 0, stderr);
  return JSON.parse(stdout);
}
