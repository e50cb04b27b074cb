import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { resultOf, siteNamed } from "./outcomes.ts";
import type { ProgramResult } from "./program.ts";
import { cloneRemote, configText, rowsAt, runStateAt } from "./repositories.ts";
import { HOUR, recordResults } from "./runs.ts";
import { makeRemote, type Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import { randomName, systemClock } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { describeLosses } from "../../templates/terminal/update.ts";

/** Records one run in this process, and returns its exit code and warnings. */
async function runIn(
  folder: string,
  code: number,
): Promise<Pick<ProgramResult, "code" | "stderr">> {
  const warnings: string[] = [];
  const store = await openStore(folder, {
    workspace: folderWorkspace(folder),
    lock: ".monitorrc.yml",
    clock: systemClock,
    warn: (text) => warnings.push(text),
  });
  const time = Temporal.Now.instant();
  const seen = { began: time, confirmed: time, code };
  const { state, published, failure } = await recordResults(store, {
    run: { id: randomName(), time },
    results: [resultOf(SITE, code === 200 ? "up" : "down", seen)],
    commitEvery: 24 * HOUR,
  });
  const said = [...warnings, ...describeLosses(state), ...published?.notes ?? []];
  return {
    code: failure === undefined ? 0 : 1,
    stderr: said.map((text) => `warning: ${text}\n`).join(""),
  };
}

const SITE = await siteNamed("A", "a");

/** Makes a site whose state can be set, and a remote that monitors it with a clone. */
export async function rig(scratch: Scratch, ...options: string[]) {
  let code = 200;
  let asked = 0;
  const server = httpServer(() => {
    asked++;
    return new Response(null, { status: code, headers: { "Retry-After": "600" } });
  });
  const config = configText({ A: server.url });
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"), ...options);
  return {
    remote,
    clone,
    config,
    turn: (next: number) => code = next,
    asked: () => asked,
    update: (folder: string) => runIn(folder, code),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Counts the runs whose rows are on the branch, and those that wait in the run state; none may be in one twice. */
export async function runsAt(
  remote: string,
  branch = "main",
): Promise<[committed: number, waiting: number]> {
  const committed = (await rowsAt(remote, branch)).map(({ run }) => run);
  assertEquals(new Set(committed).size, committed.length);
  const waiting = (await runStateAt(remote, branch))?.rows.map(({ run }) => run) ?? [];
  assertEquals(new Set(waiting).size, waiting.length);
  return [committed.length, waiting.length];
}
