import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseDays } from "../../lib/history/daily_log.ts";
import { hasCorpus, unpackHistory } from "../helpers/corpus.ts";
import { runTask } from "../helpers/program.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { rowsIn } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

/** A version in the log, parsed without the program. */
interface Version {
  commit: string;
  day: string;
  status: string;
  code: number;
  ms: number;
  time: string;
}

/** Counts by day: checks of each state, and response times of successes. */
type Totals = Map<string, Record<string, number>>;

/** Every version of the records by an independent reading of the log. */
async function readLog(folder: string): Promise<Version[]> {
  const log = await git(
    folder,
    "log",
    "-p",
    "-U100",
    "--no-renames",
    "--format=@%H",
    "--",
    "history/*.yml",
  );
  const versions: Version[] = [];
  let commit = "";
  for (const part of log.split(/^(?=@[0-9a-f]{40}$|diff --git )/m)) {
    if (part.startsWith("@")) commit = part.slice(1, 41);
    else if (!/^deleted file/m.test(part)) {
      const field = (name: string) => new RegExp(`^[+ ]${name}: (.*)$`, "m").exec(part)?.[1] ?? "";
      const time = new Date(field("lastUpdated")).toISOString();
      const [status, code, ms] = ["status", "code", "responseTime"].map(field);
      versions.push({
        commit,
        day: time.slice(0, 10),
        status: status!,
        code: Number(code),
        ms: Number(ms),
        time,
      });
    }
  }
  return versions;
}

function add(totals: Totals, day: string, counts: Record<string, number>): void {
  const own = totals.get(day) ?? { up: 0, degraded: 0, down: 0, times: 0, sum: 0 };
  for (const [key, count] of Object.entries(counts)) own[key]! += count;
  totals.set(day, own);
}

function countOf(state: string, ms: number | undefined): Record<string, number> {
  const isTimed = state !== "down" && ms !== undefined && ms > 0;
  return { [state]: 1, times: isTimed ? 1 : 0, sum: isTimed ? ms : 0 };
}

// These files are not the project's: if they are missing, there is nothing to test. Two of them take minutes.
const HISTORIES = ["033", "060", "035", "067"].slice(0, repetitions(2, 4));
for (const number of hasCorpus ? HISTORIES : []) {
  Deno.test(`history ${number} of Upptime: every version becomes one check or is named`, async () => {
    await using scratch = await makeScratch();
    const folder = join(scratch.path, number);
    await unpackHistory(number, folder);
    const versions = await readLog(folder);
    const theirs = await readFiles(folder);
    const { code, stdout, stderr } = await runTask("import", {
      folder,
      args: ["upptime", "--json"],
    });
    assertEquals(code, 0, stderr);
    const report = JSON.parse(stdout);
    assertEquals(report.versions, versions.length);
    assertEquals(report.checks + report.notImported.length, versions.length);
    const { missing, foreign, undated } = report.outcomes;
    assertEquals([missing, foreign, undated], [0, 0, 0]);

    const left = new Set(report.notImported.map(({ commit }: { commit: string }) => commit));
    const expected: Totals = new Map();
    for (const { commit, day, status, ms } of versions) {
      if (!left.has(commit)) add(expected, day, countOf(status, ms));
    }
    const found: Totals = new Map();
    const rolled = new Set<string>();
    for (const name of await namesIn(join(folder, "history", "daily"))) {
      const days = parseDays([await Deno.readTextFile(join(folder, "history", "daily", name))]);
      for (
        const { from, up, degraded, down, responseTimes: { count, sum } } of [...days.values()]
          .flat()
      ) {
        const day = new Date(from).toISOString().slice(0, 10);
        rolled.add(day);
        add(found, day, { up, degraded, down, times: count, sum });
      }
    }
    const rows = await rowsIn(folder);
    for (const { time, state, ms } of rows) {
      const day = time.toString().slice(0, 10);
      if (!rolled.has(day)) add(found, day, countOf(state, ms));
    }
    const filled = [...found].filter(([, { up, down, degraded }]) => up! + down! + degraded! > 0);
    assertEquals(new Map(filled.sort()), new Map([...expected].sort()));

    const byTime = new Map(versions.map((one) => [`${one.commit.slice(0, 8)} ${one.time}`, one]));
    for (const { run, time, state, code } of rows) {
      const one = byTime.get(`${run} ${new Date(time.epochMilliseconds).toISOString()}`);
      assertEquals([one?.status, one?.code], [state, code]);
    }

    const touched = new Set([...report.written, ...report.removed]);
    const after = await readFiles(folder);
    for (const [path, text] of theirs) assert(touched.has(path) || after.get(path) === text, path);
    await git(folder, "add", "--all");
    await git(folder, "commit", "--quiet", "--message", "Move");
    for (const command of ["validate", "status", "response-time", "site", "incidents", "report"]) {
      const ran = await runTask(command, { folder });
      // One configuration has a site without the port that it needs.
      assert(ran.code === 0 || (command === "validate" && number === "067"), ran.stderr);
    }
    const again = await runTask("import", { folder, args: ["upptime"] });
    assertStringIncludes(again.stdout, "Nothing is left to import.");
  });
}

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}

async function readFiles(folder: string): Promise<Map<string, string>> {
  const paths = (await git(folder, "ls-files", "-z")).split("\0").filter((path) => path !== "");
  return new Map(
    await Promise.all(
      paths.map(async (path) =>
        [path, await Deno.readTextFile(join(folder, path)).catch(() => "")] as const
      ),
    ),
  );
}
