import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import type { CheckRow } from "../../lib/history/checks_log.ts";
import { type Incident, parseIncident } from "../../lib/history/incident.ts";
import { githubServer } from "../helpers/github_server.ts";
import { type ProgramResult, runProcess, runTask } from "../helpers/program.ts";
import {
  allRowsAt,
  cloneRemote,
  configText,
  EVERY_RUN,
  incidentsAt,
  makeRepository,
  ONCE_A_DAY,
  rowsIn,
  status,
  tip,
} from "../helpers/repositories.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { listMessages } from "../helpers/rig.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

/** Runs at the same moment. */
const MANY = repetitions(4, 7);
const FEW = repetitions(3, 5);

/** The folders of some runs, with the repository that has their results, if there is one. */
interface Place {
  folders: readonly string[];
  repository?: string;
}

/** Where runs at the same moment work, by name, with keys of their configuration. */
const RACES: Readonly<
  Record<string, { make(scratch: Scratch, text: string): Promise<Place>; top: string }>
> = {
  "each in its own clone": { make: (...given) => makeClones(MANY, ...given), top: EVERY_RUN },
  "each in its own clone, with checks that wait": {
    make: (...given) => makeClones(FEW, ...given),
    top: ONCE_A_DAY,
  },
  "in one clone": {
    async make(scratch, text) {
      const { folders: [clone], repository } = await makeClones(1, scratch, text);
      return { folders: Array(FEW).fill(clone), repository };
    },
    top: EVERY_RUN,
  },
  "in one repository without a remote": {
    async make(scratch, text) {
      const repository = join(scratch.path, "repository");
      await makeRepository(repository, { ".monitorrc.yml": text });
      return { folders: Array(FEW).fill(repository), repository };
    },
    top: EVERY_RUN,
  },
  "in one folder without git": {
    async make(scratch, text) {
      await scratch.write(".monitorrc.yml", text);
      return { folders: Array(FEW).fill(scratch.path) };
    },
    top: EVERY_RUN,
  },
};

async function makeClones(count: number, { path }: Scratch, text: string): Promise<Place> {
  const repository = await makeRemote(path, { ".monitorrc.yml": text });
  const folders = Array.from({ length: count }, (_, index) => join(path, `${index}`));
  await Promise.all(folders.map((folder) => cloneRemote(repository, folder, "--depth=1")));
  return { folders, repository };
}

/** Runs `update` in all folders at the same moment. Runs in one folder are processes. */
function updateAtOnce(
  folders: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramResult[]> {
  const run = new Set(folders).size < folders.length ? runProcess : runTask;
  return Promise.all(folders.map((folder) => run("update", { folder, env })));
}

async function resultsAt({ folders, repository }: Place): Promise<[CheckRow[], Incident[]]> {
  if (repository !== undefined) {
    return [await allRowsAt(repository), await incidentsAt(repository, "main")];
  }
  const incidents: Incident[] = [];
  const folder = join(folders[0]!, "history", "incidents");
  for await (const { name } of Deno.readDir(folder)) {
    incidents.push(parseIncident(await Deno.readTextFile(join(folder, name)))!);
  }
  return [await rowsIn(folders[0]!), incidents];
}

for (const [where, { make, top }] of Object.entries(RACES)) {
  Deno.test(`runs at the same moment, ${where}, all keep their rows, and have one incident, issue and message`, async () => {
    await using scratch = await makeScratch();
    await using github = await githubServer();
    await using hook = await vendorServer({ status: 204 });
    let code = 200;
    await using site = httpServer(({ url }) =>
      new Response(null, { status: url.endsWith("/shop") ? code : 200 })
    );
    const notifications = JSON.stringify([{ type: "webhook", url: hook.url, on: ["down", "up"] }]);
    const sites = { Shop: `${site.url}/shop`, 'Ünï, "quoted"': site.url };
    const place = await make(scratch, configText(sites, `${top}notifications: ${notifications}\n`));
    const { folders, repository } = place;
    for (const folder of folders) await Deno.writeTextFile(join(folder, "mine"), "mine\n");
    const rounds = [200, 503, 200];
    for (const next of rounds) {
      code = next;
      for (const { code, stdout, stderr } of await updateAtOnce(folders, github.env)) {
        assertEquals([code, stderr], [0, ""], stdout);
      }
    }
    const [rows, incidents] = await resultsAt(place);
    const runs = folders.length * rounds.length;
    assertEquals([rows.length, new Set(rows.map(({ run }) => run)).size], [2 * runs, runs]);
    assertEquals(new Set(rows.map(({ run, slug }) => `${run} ${slug}`)).size, rows.length);
    assertEquals(incidents.map(({ slug, end }) => [slug, end !== undefined]), [["shop", true]]);
    assertEquals((await github.issues()).map(({ state, comments }) => [state, comments.length]), [
      ["closed", 1],
    ]);
    assertEquals([github.violations, listMessages(hook)], [[], ["shop down", "shop up"]]);
    if (repository === undefined) return;
    for (const folder of folders) {
      assertEquals(await status(folder), "?? mine");
      await git(repository, "merge-base", "--is-ancestor", await tip(folder), "main");
    }
    await git(repository, "fsck", "--strict");
  });
}

Deno.test("runs at the same moment that can publish nothing leave one open issue: those too many are closed as duplicates", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  let code = 200;
  await using site = httpServer(() => new Response(null, { status: code }));
  const { folders, repository } = await makeClones(3, scratch, configText({ Shop: site.url }));
  await updateAtOnce(folders, github.env);
  await Deno.rename(repository!, `${repository}.gone`);
  code = 503;
  const ended = await updateAtOnce(folders, github.env);
  assertEquals(ended.map(({ code }) => code), [1, 1, 1]);
  const issues = await github.issues();
  assertEquals(issues.filter(({ state }) => state === "open").map(({ number }) => number), [1]);
  for (const { reason, comments } of issues.slice(1)) {
    assertEquals(reason, "duplicate");
    assert(comments.every(({ body }) => body.startsWith("Duplicate of #1")), comments[0]?.body);
  }
});
