/** A program that records one run and executes its effects, as `update` does, with a handler of its own. */
import { systemClock } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { EffectError, type EffectHandler } from "../../lib/outbox/effect.ts";
import type { EntryResult } from "../../lib/outbox/outbox.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import { killOwnGroup } from "./git_wrapper.ts";
import { LEDGER } from "./ledger.ts";
import { resultOf, siteNamed } from "./outcomes.ts";
import { output, type ProgramResult, spawnModule } from "./program.ts";
import { recordResults } from "./runs.ts";

/** The fate of an effect. */
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
  /** A file that gets a line `id run` for each effect that is executed. */
  ledger: string;
  /** @default {"done"} */
  fate?: Fate;
}

/** Runs in this process, and returns the results of its effects. */
export async function outboxRun(
  { folder, id, time, state, ledger, fate = "done" }: OutboxRun,
  /** Awaited before an effect is executed. */
  before: () => Promise<unknown> = () => Promise.resolve(),
): Promise<EntryResult[]> {
  const now = Temporal.Instant.from(time);
  const issue: EffectHandler = {
    findObstacle: () => fate === "lacks its token" ? "a token" : undefined,
    async execute(effect) {
      await before();
      if (fate === "killed before") await killOwnGroup();
      if (fate.startsWith("fails")) {
        throw new EffectError(fate, {
          kind: fate === "fails for good" ? "permanent" : "transient",
        });
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
  const targets = { tracker: LEDGER, handlers: { issue } };
  const { executed, failure } = await recordResults(store, { run, results, targets });
  if (failure !== undefined) throw failure;
  return executed;
}

/** Runs as a process, in a group of its own. */
export function outboxProcess(
  run: OutboxRun,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  return output(spawnModule(import.meta.filename!, run, env));
}

if (import.meta.main) await outboxRun(JSON.parse(Deno.args[0]!));
