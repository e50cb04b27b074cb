import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { runTask } from "./program.ts";
import { cloneRemote, EVERY_RUN, rowsAt } from "./repositories.ts";
import { makeRemote, type Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";

export const LOCATIONS = `locations:
  - { name: Virginia, runner: ubuntu-latest }
  - { name: Frankfurt, runner: windows-latest }
  - { name: São Paulo, runner: [self-hosted, sao-paulo] }
`;

/** A repository whose sites are checked from three places; the test decides what each of them sees. */
export async function locationRig(scratch: Scratch, { top = LOCATIONS, site = "", others = [] }: {
  top?: string;
  /** Further keys of the site. */
  site?: string;
  /** Further sites with their keys, such as `name: Blog, locations: []`. */
  others?: readonly string[];
} = {}) {
  const seen = { status: 200 };
  const server = httpServer(() => new Response("ok", { status: seen.status }));
  const items = [`name: Shop${site}`, ...others]
    .map((keys) => `  - { url: "${server.url}", ${keys} }\n`);
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml":
      `retry: { delays: [] }\nrecheckDelay: 0\nreopenWithin: 0\ndegradedRuns: [1, 1]\ncanaries: []\n${EVERY_RUN}${top}sites:\n${
        items.join("")
      }`,
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const run = async (task: string, args: readonly string[]) => {
    const { code, stdout, stderr } = await runTask(task, { folder, args });
    assertEquals(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  return {
    remote,
    folder,
    see: (status: number) => seen.status = status,
    /** Checks from a location that sees the status; the results go to the folder, or to the remote. */
    probe: (location: string, status: number, to?: string) => {
      seen.status = status;
      return run("probe", ["--location", location, ...to === undefined ? [] : ["--results", to]]);
    },
    run,
    update: (...args: string[]) => run("update", args),
    rows: async () => (await rowsAt(folder)).map(({ location, state }) => [location ?? "", state]),
    slugs: async () => (await rowsAt(folder)).map(({ slug }) => slug),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
