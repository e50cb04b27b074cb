import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { makeCertificate } from "./certificates.ts";
import { machineClock } from "./calendar.ts";
import { DayClock } from "./day_clock.ts";
import { type GitHubServer, githubServer } from "./github_server.ts";
import { runTask } from "./program.ts";
import type { Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";
import {
  type SeenRequest,
  type VendorAnswer,
  type VendorServer,
  vendorServer,
} from "./vendors/vendor_server.ts";
import { CANARIES, VENDORS } from "./vendors/vendors.ts";

type Keys = Readonly<Record<string, unknown>>;
type Channels = Readonly<Record<string, Keys & { type: string }>>;

/**
 * Something that happens a minute before a run: `Shop down`, `all up`, `ann on Shop: /ack`, `monitor ack Shop --by jo`,
 * `lose run state`; or settings that change; or what a vendor answers from now on.
 */
export type Happening =
  | string
  | { channels?: Channels; sites?: Readonly<Record<string, Keys>>; top?: Keys }
  | { answers: Readonly<Record<string, VendorAnswer>> };

/** What happens on call, and what each channel must receive. */
export interface OnCallStory {
  what: string;
  /** Keys by name; those of the vendor's emulator are added. */
  channels: Channels;
  /** Keys by name; one named Shop if absent. */
  sites?: Readonly<Record<string, Keys>>;
  top?: Keys;
  /** Set if the story starts now, with a certificate that is valid for so many days. */
  certificate?: number;
  /** Runs: the minute of each, from 20:00 in Vienna on, and what happens before it. */
  runs: readonly (readonly [minute: number, ...happenings: Happening[]])[];
  /** Lines as `MINUTE WHAT`, by channel; alerts are numbered in the order in which they come. */
  received: Readonly<Record<string, readonly (string | RegExp)[]>>;
  /** Exit codes of the runs that don't end with 0, by minute. */
  codes?: Readonly<Record<number, number>>;
  /** What runs must print, by minute. */
  prints?: Readonly<Record<number, RegExp>>;
}

const START = Date.parse("2026-11-23T19:00:00Z");
const MINUTE = 60_000;
const SECRETS = { ...CANARIES, API_TOKEN: "7f3a-91c2" };
const STATUS = { up: 200, down: 503, degraded: 200, unknown: 200 } as const;
type State = keyof typeof STATUS;

/** Plays a story with whole runs of `update`, and asserts what channels receive. */
export async function playStory(story: OnCallStory, scratch: Scratch): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const start = story.certificate === undefined ? START : machineClock.now().epochMilliseconds;
  const certificate = story.certificate && makeCertificate({ to: story.certificate });
  const clock = stack.use(new DayClock(start));
  const github = stack.use(await githubServer());
  // GitHub takes an issue a second.
  const GITHUB_REPOSITORY = github.repository;
  const env = isOfPeople(story) ? github.env : { GITHUB_REPOSITORY };
  const states = new Map<string, State>();
  const server = stack.use(httpServer(({ url }) => {
    const state = states.get(decodeURIComponent(new URL(url).pathname.slice(1))) ?? "up";
    return new Response(state, { status: STATUS[state] });
  }, certificate ? { certificate } : {}));
  if (certificate) await scratch.write("ca.pem", certificate.cert);
  const hooks = new Map<string, VendorServer>();
  const answers = new Map<string, VendorAnswer>();
  let { channels, sites = { Shop: {} }, top = {} } = story;
  const configure = async () => {
    const notifications: Keys[] = [];
    for (const [name, { type, ...keys }] of Object.entries(channels)) {
      const vendor = VENDORS[type as keyof typeof VENDORS];
      if (vendor === undefined) {
        notifications.push({ type, ...keys });
        continue;
      }
      if (!hooks.has(name)) hooks.set(name, stack.use(await vendorServer(vendor.yes)));
      notifications.push({ ...vendor.notification(hooks.get(name)!.url), ...keys });
    }
    await scratch.write(".monitorrc.yml", toConfig({ notifications, sites, top }, server.url));
  };
  await configure();
  const received: Record<string, string[]> = {};
  const alerts = new Map<string, number>();
  const people = { github, names: () => Object.keys(sites) };
  for (const [minute, ...happenings] of story.runs) {
    clock.time = start + (minute - 1) * MINUTE;
    for (const happening of happenings) {
      if (typeof happening !== "string") {
        if ("answers" in happening) {
          for (const [name, answer] of Object.entries(happening.answers)) answers.set(name, answer);
          continue;
        }
        ({ channels = channels, sites = sites, top = top } = happening);
        await configure();
      } else if (happening === "lose run state") {
        await Deno.remove(join(scratch.path, "history/state/memory.json"));
      } else if (happening.startsWith("monitor ")) {
        const [, command = "", ...args] = happening.split(" ");
        const result = await runTask(command, { folder: scratch.path, args, clock });
        assertEquals(result.code, 0, result.stderr);
      } else if (happening.includes(": ")) {
        await comment(happening, people);
      } else {
        turn(happening, states, people.names());
      }
    }
    clock.time = start + minute * MINUTE;
    for (const [name, answer] of answers) {
      hooks.get(name)!.answers.splice(0, Infinity, ...Array<VendorAnswer>(300).fill(answer));
    }
    const { API_TOKEN, ...others } = SECRETS;
    const isUnknown = [...states.values()].includes("unknown");
    const given = isUnknown ? others : { ...others, API_TOKEN };
    const { code, stdout, stderr } = await runTask("update", {
      folder: scratch.path,
      env: { ...env, SECRETS_CONTEXT: JSON.stringify(given) },
      clock,
    });
    const output = stdout + stderr;
    assertEquals(code, story.codes?.[minute] ?? 0, `${minute}: ${output}`);
    assert((story.prints?.[minute] ?? /^/).test(output), `${minute}: ${output}`);
    for (const [name, { seen }] of hooks) {
      const { type } = channels[name] ?? story.channels[name]!;
      for (const request of seen.splice(0)) {
        const line = describe(type, request, alerts);
        (received[name] ??= []).push(`${minute} ${line}`);
        VENDORS[type as keyof typeof VENDORS].check(
          request.json ?? Object.fromEntries(new URLSearchParams(request.text)),
        );
      }
    }
  }
  assertEquals(github.violations, []);
  // What matches a pattern is replaced by it, so that a difference shows all lines.
  const matched = Object.entries(received).map(([name, lines]) => [
    name,
    lines.map((line, index) => {
      const pattern = story.received[name]?.[index];
      return pattern instanceof RegExp && pattern.test(line) ? pattern : line;
    }),
  ]);
  assertEquals(Object.fromEntries(matched), story.received);
}

function toConfig(
  { notifications, sites, top }: {
    notifications: readonly Keys[];
    sites: Readonly<Record<string, Keys>>;
    top: Keys;
  },
  url: string,
): string {
  return JSON.stringify({
    timezone: "Europe/Vienna",
    retry: { delays: [0.05] },
    recheckDelay: 0.05,
    canaries: [],
    flapThreshold: 1,
    degradedRuns: [1, 1],
    reopenWithin: 0,
    lockIssues: false,
    unknownAfter: 3,
    ...top,
    notifications: notifications as unknown as Notification[],
    sites: Object.entries(sites).map(([name, keys]) => ({
      name,
      url: `${url}/${name}`,
      assert: [{ that: 'body not contains "degraded"', severity: "degraded" }],
      ...keys,
    })),
  });
}

/** True if people act on GitHub. */
function isOfPeople({ runs }: OnCallStory): boolean {
  return runs.flat().some((one) => typeof one === "string" && one.includes(": "));
}

/** Turns sites: `Shop down`, `all up`, `all up but Post`, `Shop Post down`. */
function turn(text: string, states: Map<string, State>, sites: readonly string[]): void {
  const [before = "", except] = text.split(" but ");
  const words = before.split(" ");
  const state = words.pop() as State;
  const names = words[0] === "all" ? sites.filter((name) => name !== except) : words;
  for (const name of names) states.set(name, state);
}

/** Comments on the latest open issue of a site: `ann on Shop: /ack`. */
async function comment(
  text: string,
  { github, names }: { github: GitHubServer; names(): readonly string[] },
): Promise<void> {
  const [, login, name, body] = /^(\w+) on (\w+): (.*)$/.exec(text) ?? [];
  assert(names().includes(name!), text);
  const issues = await github.issues();
  const issue = issues.findLast(({ title, state }) =>
    state === "open" && title.includes(`${name} `)
  )!;
  await github.person(login as "ann").comment(issue.number, body!);
}

/** A request in short: what it does at the vendor, to which alert, and the words that people read. */
function describe(type: string, { json, path, text }: SeenRequest, alerts: Map<string, number>) {
  const number = (key: string) => {
    if (!alerts.has(key)) alerts.set(key, alerts.size + 1);
    return `#${alerts.get(key)}`;
  };
  switch (type) {
    case "pagerduty": {
      const { event_action: action, dedup_key: key, payload } = json;
      return `${action} ${number(`${type} ${key}`)}${
        payload ? ` ${headlineOf(payload.summary)}` : ""
      }`;
    }
    case "jsm": {
      const [, alias, action] = /alerts\/([^/]+)\/(\w+)$/.exec(path) ?? [];
      const key = alias === undefined ? json.alias : decodeURIComponent(alias);
      return `${action ?? "create"} ${number(`${type} ${key}`)}${action ? "" : ` ${json.message}`}`;
    }
    case "incident-io": {
      const { status, deduplication_key: key, title } = json;
      return `${status} ${number(`${type} ${key}`)}${status === "firing" ? ` ${title}` : ""}`;
    }
    case "pushover": {
      const [, tag] = /cancel_by_tag\/(\w+)\.json$/.exec(path) ?? [];
      if (tag !== undefined) return `cancel ${number(`${type} ${tag}`)}`;
      const { priority, tags, title } = json;
      return priority === 2 ? `emergency ${number(`${type} ${tags}`)} ${title}` : title;
    }
    case "twilio":
      return new URLSearchParams(text).get("Body")!;
    case "ntfy":
      return [json.title, ...json.message.split("\n").slice(0, 1)].join(" | ");
    case "telegram":
      return json.text.split("\n")[0];
    default:
      return json.headline ?? json.text;
  }
}

/** `Shop is down` of `Shop is down: 503 Service Unavailable`. */
function headlineOf(summary: string): string {
  return summary.split(": ")[0]!;
}
