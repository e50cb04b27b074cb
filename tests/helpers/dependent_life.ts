import type { Config } from "../../lib/config/config.ts";
import { type Incident, parseIncident } from "../../lib/history/incident.ts";
import type { ReadResponses } from "../../lib/incidents/acknowledgement/read_responses.ts";
import { parseIssueEffect } from "../../lib/incidents/issue_effect.ts";
import type { SiteEvent } from "../../lib/notifications/message.ts";
import { parseMessageEffect } from "../../lib/notifications/message_effects.ts";
import type { Effect } from "../../lib/outbox/effect.ts";
import type { State } from "../../lib/state.ts";
import type { Store } from "../../lib/history/store/store.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { MemoryStore } from "./memory_store.ts";
import { resultOf } from "./outcomes.ts";
import { recordResults } from "./runs.ts";
import { configOf, type Keys } from "./sites.ts";
import { toEffectTargets } from "./executed_effects.ts";
import { plansOf } from "./windows.ts";

/** Results of each site, a letter a run: `u`p, d`e`graded, `d`own, `?` none; capitals in maintenance. */
export type Results = Readonly<Record<string, string>>;

/** The findings of one run, and its messages. */
export interface LivedRun {
  /** Messages to channels: `router down`, `shop down after router`, `router down with shop`. */
  messages: string[];
  /** The same as it is sent. */
  events: SiteEvent[];
  /** Changes of issues: `open router`. */
  issues: string[];
  /** State of each site that was looked at, by slug. */
  states: Record<string, State>;
  errors: Record<string, string | undefined>;
  /** Texts written to issues, by the name of the incident. */
  texts: Map<string, string>;
  /** Answers to commands: `10 +1`. */
  answers: string[];
}

const STATES: Readonly<Record<string, ProbeResult["state"]>> = {
  u: "up",
  e: "degraded",
  d: "down",
  "?": "unknown",
};

/** Runs with given results, five minutes apart, with history and run state. */
export class DependentLife {
  store = new MemoryStore();
  now = Temporal.Instant.from("2026-11-21T10:00:00Z");
  /** Responses by people, for the next run only. */
  responses?: ReadResponses;
  #runs = 0;
  readonly #issues = new Map<string, number>();
  config: Config;

  private constructor(config: Config) {
    this.config = config;
  }

  /** `channel` are further keys of the one channel. */
  static async begin(sites: readonly Keys[], channel: Keys = {}): Promise<DependentLife> {
    return new DependentLife(await readSites(sites, channel));
  }

  /** Changes the configuration. */
  async configure(sites: readonly Keys[]): Promise<void> {
    this.config = await readSites(sites);
  }

  /** Plays all letters of the results, which have the same length; `answers` are those of addresses. */
  async play(results: Results, answers: Results = {}): Promise<LivedRun[]> {
    const [first = ""] = Object.values(results);
    const runs: LivedRun[] = [];
    for (const index of first.split("").keys()) {
      const at = (all: Results) =>
        Object.fromEntries(
          Object.entries(all).map(([key, letters]) => [key, letters[index] ?? "?"]),
        );
      runs.push(await this.run(at(results), at(answers)));
    }
    return runs;
  }

  /** `beforePublishing` is called after the run has read its state, and before it publishes. */
  async run(
    letters: Results,
    answers: Results = {},
    beforePublishing?: () => Promise<unknown>,
  ): Promise<LivedRun> {
    this.now = this.now.add({ minutes: 5 });
    const run = { id: String(++this.#runs).padStart(8, "0"), time: this.now };
    const now = this.now;
    const looked = this.config.sites.filter(({ paused }) => !paused);
    const results = looked.map((site): ProbeResult => {
      const state = STATES[(letters[site.slug] ?? "u").toLowerCase()]!;
      const known = Object.entries(answers).filter(([, letter]) => letter !== "?");
      return {
        ...resultOf(site, state, { began: now, confirmed: now }),
        addresses: new Map(known.map(([address, letter]) => [address, letter === "u"])),
      };
    });
    const inWindow = looked.map(({ slug }) => slug).filter((slug) =>
      /[A-Z]/.test(letters[slug] ?? "")
    );
    const { decision } = await recordResults(this.#delayed(beforePublishing), {
      run,
      results,
      configured: this.config.sites,
      targets: toEffectTargets(this.config, this.#issues),
      people: {
        plans: plansOf(inWindow, now, now.add({ minutes: 4 })),
        responses: this.responses,
      },
    });
    this.responses = undefined;
    this.now = now;
    const { effects, outcomes } = decision;
    return {
      messages: effects.flatMap(eventsOf).map(wordsOf),
      events: effects.flatMap(eventsOf),
      issues: effects.flatMap(issuesOf),
      states: Object.fromEntries(outcomes.map(({ result }) => [result.site.slug, result.state])),
      errors: Object.fromEntries(outcomes.map(({ result }) => [result.site.slug, result.error])),
      texts: new Map(effects.flatMap(textsOf)),
      answers: effects.flatMap(({ handler, data }) =>
        handler === "reaction" ? `${data["comment"]} ${data["answer"]}` : []
      ),
    };
  }

  /** Loses the run state. */
  forget(): void {
    this.store.pending = new Map();
  }

  /** The incidents that are kept, by their names. */
  incidents(): Map<string, Incident> {
    return new Map(
      [...this.store.files].filter(([path]) => path.startsWith("history/incidents/"))
        .flatMap(([path, text]): [string, Incident][] => {
          const incident = parseIncident(text);
          return incident === undefined ? [] : [[path.slice(18, -4), incident]];
        }),
    );
  }

  #delayed(action: (() => Promise<unknown>) | undefined): Store {
    const { store } = this;
    let isFirst = true;
    return {
      place: store.place,
      read: () => store.read(),
      untracked: () => store.untracked(),
      track: () => store.track(),
      async publish(decide) {
        if (isFirst) await action?.();
        isFirst = false;
        return await store.publish(decide);
      },
    };
  }
}

async function readSites(sites: readonly Keys[], channel: Keys = {}): Promise<Config> {
  const usual = { url: "https://example.com/", degradedRuns: [1, 1] };
  return await configOf(sites.map((site) => ({ ...usual, ...site })), {
    notifications: [{
      type: "webhook",
      url: "https://hook.example/",
      reminders: ["7m"],
      ...channel,
    }],
  });
}

function eventsOf({ data }: Effect): SiteEvent[] {
  return parseMessageEffect(data)?.message.events ?? [];
}

function wordsOf(event: SiteEvent): string {
  const { slug, kind, reminder, gone, affected, released, title = "" } = event;
  if (kind === "notice") return title;
  return [
    slug,
    ...reminder ? ["still"] : [],
    gone ? "gone" : kind,
    ...affected === undefined ? [] : ["with", affected.join(" and ")],
    ...released === undefined ? [] : ["after", released.name, ...released.isBack ? [] : ["?"]],
  ].join(" ");
}

function issuesOf({ data, queue = "", id }: Effect): string[] {
  const effect = parseIssueEffect(data);
  if (effect === undefined) return [];
  const action = id.includes("/affects-") ? "affects" : effect.action;
  return [`${action} ${queue.slice(11)}`];
}

function textsOf({ data, queue = "" }: Effect): [string, string][] {
  const effect = parseIssueEffect(data);
  if (effect === undefined) return [];
  return [[queue.slice(11), effect.action === "open" ? effect.issue.body : effect.comment]];
}
