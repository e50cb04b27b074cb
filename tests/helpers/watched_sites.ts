import { COMMANDS } from "../../commands/mod.ts";
import type { Context } from "../../commands/shared/context.ts";
import { update } from "../../commands/update.ts";
import { Rounds } from "../../commands/watch/rounds.ts";
import { PROBES } from "../../lib/checks/mod.ts";
import type { Observation } from "../../lib/checks/observation.ts";
import { loadConfig } from "../../lib/config/load.ts";
import { RemoteError } from "../../lib/git/remote.ts";
import { type CheckRow, CHECKS_FOLDER, parseRows } from "../../lib/history/checks_log.ts";
import { findIncidentId, type Incident } from "../../lib/history/incident.ts";
import { BufferedStore } from "../../lib/history/store/buffered_store.ts";
import type { Decide, Published } from "../../lib/history/store/store.ts";
import { parseStoredIncident } from "../../lib/history/stored_incidents.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { loadSender } from "../../lib/notifications/channels/mod.ts";
import { KeptHistory } from "../../lib/pipeline/kept_history.ts";
import { Turns } from "../../lib/pipeline/turns.ts";
import { dueTimes, selectDue } from "../../lib/pipeline/watch_schedule.ts";
import { run } from "../../main.ts";
import { MemoryStore } from "./memory_store.ts";
import { NOW } from "./outcomes.ts";
import { recordedIo } from "./program.ts";
import { makeScratch } from "./scratch.ts";
import { VirtualClock } from "./virtual_clock.ts";

/** The answer of a site to an attempt; times are in seconds. */
export interface Answer {
  isUp: boolean;
  takes: number;
}

/** A world to watch; all times are in seconds since the start. */
export interface WatchedWorld {
  /** The configuration, whose sites have the addresses `http://NAME/`. */
  config: object;
  seconds: number;
  answer(name: string, at: number): Answer;
  /** The seconds that a push takes; `undefined` if the remote does not answer. */
  push?(at: number): number | undefined;
  /** The seconds that a message takes. */
  sends?(at: number): number;
  /** The seconds that the clock is ahead. */
  ahead?(at: number): number;
}

/** Everything that happened in a world; all times are in seconds since the start. */
export interface Watched {
  attempts: { name: string; number: number; from: number; to: number; isUp: boolean }[];
  /** Results in the order in which they were recorded. */
  recorded: { at: number; run: string; slug: string; state: string }[];
  messages: { at: number; id: string; slug: string; kind: string }[];
  incidents: (Pick<Incident, "slug"> & { start: number; end?: number; isExplained: boolean })[];
  rows: CheckRow[];
  /** Warnings and errors of the program. */
  stderr: string;
}

/** Milliseconds after which the probe gives up, as a site with the usual time limit. */
const LIMIT = 40_000;
/** Seconds after which a remote that does not answer is given up. */
export const SILENCE = 45;

/** A clock that somebody sets while time passes as ever. */
class SetClock extends VirtualClock {
  ahead = (_at: number) => 0;
  readonly #start = this.elapsed();

  override now(): Temporal.Instant {
    const passed = (this.elapsed() - this.#start) / 1000;
    return super.now().add({ milliseconds: Math.round(1000 * this.ahead(passed)) });
  }
}

/** A remote in memory that takes its time. */
class SlowRemote extends MemoryStore {
  constructor(readonly wait: () => Promise<boolean>) {
    super();
  }

  override async publish(decide: Decide): Promise<Published> {
    if (!await this.wait()) throw new RemoteError("no answer", false);
    return await super.publish(decide);
  }
}

/**
 * Watches a world on a virtual clock with the program's own rounds, checks, decisions and messages; only probes, the
 * remote and the channel are replaced.
 */
export async function watchWorld(world: WatchedWorld): Promise<Watched> {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", JSON.stringify(world.config));
  await loadSender("webhook");
  const clock = new SetClock(NOW);
  clock.ahead = world.ahead ?? clock.ahead;
  const start = clock.elapsed();
  const passed = () => (clock.elapsed() - start) / 1000;
  const watched: Watched = {
    attempts: [],
    recorded: [],
    messages: [],
    incidents: [],
    rows: [],
    stderr: "",
  };
  const remote = new SlowRemote(async () => {
    const seconds = world.push === undefined ? 0 : world.push(passed());
    await clock.wait(1000 * (seconds ?? SILENCE));
    return seconds !== undefined;
  });

  const probe = async (url: string, number: number, signal: AbortSignal): Promise<Observation> => {
    const { hostname: name } = new URL(url);
    const from = passed();
    const { isUp, takes } = world.answer(name, from);
    await clock.wait(Math.min(1000 * takes, LIMIT), signal);
    const isLate = signal.aborted || 1000 * takes > LIMIT;
    const responseTime = 1000 * (passed() - from);
    watched.attempts.push({ name, number, from, to: passed(), isUp: isUp && !isLate });
    if (isLate) {
      return { code: 0, responseTime, failure: { kind: "network", reason: "timed out" } };
    }
    return isUp
      ? { code: 200, responseTime }
      : { code: 503, responseTime, failure: { kind: "answer", reason: "answered 503" } };
  };
  const send = async (body: RequestInit["body"]): Promise<Response> => {
    const { id, events } = await new Response(body).json();
    const at = passed();
    await clock.wait(1000 * (world.sends?.(at) ?? 0));
    for (const { site, type } of events) {
      watched.messages.push({ at: passed(), id, slug: site.slug, kind: type });
    }
    return new Response("ok");
  };

  const watch = async (context: Context) => {
    const loaded = await loadConfig(folderWorkspace(context.root), context);
    const config = loaded.config!;
    const rounds = new Rounds();
    const turns = new Turns();
    const store = new BufferedStore(remote, {
      file: {
        read: () => Promise.resolve(undefined),
        write: async () => {},
        remove: async () => {},
      },
      clock,
      holder: { [Symbol.dispose]() {} },
    });
    const history = new KeptHistory(folderWorkspace(context.root), store, turns);
    const stop = new AbortController();
    const failures: unknown[] = [];
    const startRound = (at: number, last: number) => {
      const round = rounds.start(
        selectDue(config.sites, { last, now: at }),
        at,
        (due, calls) =>
          update({
            ...context,
            watching: {
              loaded: { ...loaded, config },
              repository: { prefix: "" },
              ...{ due, history, turns },
              // It would measure, and read from the disk, which takes no virtual time.
              isFirst: false,
              isMinutely: false,
              readVariable: () => undefined,
              stop: new AbortController().signal,
              ...calls,
              onRecorded(recorded) {
                const { runState: { run }, outcomes } = recorded.decision;
                for (const { result: { site: { slug }, state } } of outcomes) {
                  watched.recorded.push({ at: passed(), run, slug, state });
                }
                calls.onRecorded(recorded);
              },
            },
          }),
      );
      round?.catch((error) => failures.push(error));
    };
    const times = dueTimes({
      clock,
      jitter: 0,
      random: Math.random,
      onWait() {},
      signal: stop.signal,
      intervals: () => Promise.resolve(config.sites.map(({ interval }) => interval)),
    });
    await clock.until((async () => {
      for await (const { at, last } of times) {
        if (at >= 1000 * world.seconds) stop.abort();
        else startRound(at, last);
      }
      await rounds.ended();
      await clock.wait(600_000);
      await turns.take(() => store.flush());
    })());
    if (failures.length > 0) throw failures[0];
    return 0;
  };

  const entry = COMMANDS["watch"]!;
  const { load } = entry;
  const { http } = PROBES;
  const { fetch } = globalThis;
  const io = { ...recordedIo(), clock };
  try {
    entry.load = () => Promise.resolve(watch);
    PROBES.http = ({ url }, { attempt = 1, signal }) => probe(url, attempt, signal);
    globalThis.fetch = (_, init) => send(init!.body);
    const code = await run(["watch", `--root=${scratch.path}`, "--quiet"], io);
    watched.stderr = io.stderr.text;
    if (code !== 0) throw new Error(watched.stderr);
  } finally {
    entry.load = load;
    PROBES.http = http;
    globalThis.fetch = fetch;
  }
  const toSeconds = (time: Temporal.Instant) => (time.epochMilliseconds - start) / 1000;
  for (const [path, text] of remote.files) {
    if (path.startsWith(`${CHECKS_FOLDER}/`)) watched.rows.push(...parseRows(text));
    if (findIncidentId(path) === undefined) continue;
    const { slug, start, end, cause } = parseStoredIncident(text) as Incident;
    watched.incidents.push({
      slug,
      start: toSeconds(start),
      end: end && toSeconds(end),
      isExplained: cause !== undefined,
    });
  }
  watched.rows.push(...parseRows(remote.pending.get("checks.csv") ?? ""));
  return watched;
}
