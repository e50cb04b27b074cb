/** A program that records one run and carries out what it owes, as `update` does, with a carrier of its own. */
import { systemClock } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { noteExecuted } from "../../lib/pipeline/publish_run.ts";
import { carryOut } from "../../lib/outbox/carry_out.ts";
import { type Carrier, CarrierError } from "../../lib/outbox/effect.ts";
import type { Carried } from "../../lib/outbox/outbox.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import { killOwnGroup } from "./git_wrapper.ts";
import { LEDGER } from "./ledger.ts";
import { resultOf, siteNamed } from "./outcomes.ts";
import { output, type ProgramResult, spawnModule } from "./program.ts";
import { recordResults } from "./runs.ts";

/** What happens to an effect. */
export type Fate =
  | "done"
  | "killed before"
  | "killed after"
  | "fails for now"
  | "fails for good"
  | "lacks its token";

/** A run on one site. */
export interface OutboxRun {
  folder: string;
  id: string;
  /** When it runs, from its start to its end. */
  time: string;
  state: "up" | "down";
  /** A file that gets a line `id run` for each effect that is carried out. */
  ledger: string;
  /** @default {"done"} */
  fate?: Fate;
}

/** Runs in this process, and returns what came of what it had to carry out. */
export async function outboxRun(
  { folder, id, time, state, ledger, fate = "done" }: OutboxRun,
  /** Awaited before an effect is carried out. */
  before: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Carried[]> {
  const now = Temporal.Instant.from(time);
  const issue: Carrier = {
    lacks: () => fate === "lacks its token" ? "a token" : undefined,
    async carry(effect) {
      await before();
      if (fate === "killed before") await killOwnGroup();
      if (fate.startsWith("fails")) {
        throw new CarrierError(fate, { prospect: fate === "fails for good" ? "final" : "passing" });
      }
      await Deno.writeTextFile(ledger, `${effect.id} ${id}\n`, { append: true });
      if (fate === "killed after") await killOwnGroup();
      return { by: id };
    },
  };
  const store = await openStore(folder, {
    workspace: folderWorkspace(folder),
    lock: ".monitorrc.yml",
    clock: { ...systemClock, now: () => now },
    warn: (text) => {
      throw new Error(text);
    },
  });
  const run = { id, time: now };
  const site = await siteNamed("Shop", "shop", { reopenWithin: 0 });
  const results = [resultOf(site, state, { began: now, confirmed: now })];
  const carriers = { issue };
  const targets = { tracker: LEDGER, dispatches: false, channels: [] };
  const work = { run, results, carriers, targets };
  const { decision, owed, failure } = await recordResults(store, work);
  if (failure !== undefined) throw failure;
  if (owed.length === 0) return [];
  const { carried } = await carryOut(owed, decision.runState.outbox, carriers);
  const author = { name: "Jo", email: "jo@example.com" };
  await noteExecuted(store, { run, carried, now, message: "Note it", author });
  return carried;
}

/** Runs as a process, in a group of its own. */
export function outboxProcess(
  run: OutboxRun,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  return output(spawnModule(import.meta.filename!, run, env));
}

if (import.meta.main) await outboxRun(JSON.parse(Deno.args[0]!));
