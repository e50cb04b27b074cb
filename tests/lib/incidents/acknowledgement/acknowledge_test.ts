import { assertEquals } from "@std/assert";
import { type Incident, UNCHANGED } from "../../../../lib/history/incident.ts";
import {
  applyResponses,
  findAcknowledgement,
  findFormer,
  type Response,
} from "../../../../lib/incidents/acknowledgement/acknowledge.ts";
import {
  type Command,
  parseCommand,
} from "../../../../lib/incidents/acknowledgement/read_responses.ts";
import { applyMutes, listMutedSites } from "../../../../lib/incidents/acknowledgement/mutes.ts";
import { HOUR, MINUTE } from "../../../../lib/time.ts";
import { NOW } from "../../../helpers/outcomes.ts";

Deno.test("a comment is a command if it starts with one", () => {
  const cases: [body: string, command: Command | undefined][] = [
    ["/ack", { name: "ack" }],
    ["  /ACK\r\nI restart it", { name: "ack" }],
    ["/ack I restart it", { name: "ack" }],
    ["/ack 3 people work on it", { name: "ack" }],
    ["/ack 90m", { name: "ack", lasts: 90 * MINUTE }],
    ["/ack 2h until the provider answers", { name: "ack", lasts: 2 * HOUR }],
    ["/ack 400d", { name: "ack" }],
    ["<!-- by hand --> /ack", { name: "ack" }],
    ["> /ack", undefined],
    ["> /ack\n\nthanks", undefined],
    ["I /ack this", undefined],
    ["`/ack`", undefined],
    ["    ```\n/ack\n```", undefined],
    ["/acknowledge", undefined],
    ["/ack-now", undefined],
    ["/ack, 2h should do", { name: "ack" }],
    ["/ack. On it", { name: "ack" }],
    ["/ack\u00a090M", { name: "ack", lasts: 90 * MINUTE }],
    ["/unmute!", { name: "unmute" }],
    ["/mute2h", undefined],
    ["<!-- /ack -->", undefined],
    ["", undefined],
    ["/assign ann", undefined],
    ["/mute 2h", { name: "mute", lasts: 2 * HOUR }],
    ["/mute 2h we move it", { name: "mute", lasts: 2 * HOUR }],
    ["/mute 1.5h", { name: "mute", lasts: 1.5 * HOUR }],
    ["/mute", { name: "unclear" }],
    ["/mute 2", { name: "unclear" }],
    ["/mute 1s", { name: "unclear" }],
    ["/mute 31d", { name: "unclear" }],
    ["/mute\n2h", { name: "unclear" }],
    ["/unmute", { name: "unmute" }],
    ["/unmute please", { name: "unmute" }],
    ["/ack all", { name: "ack", isForAll: true }],
    ["/ACK  All 8h\nI look", { name: "ack", isForAll: true, lasts: 8 * HOUR }],
    ["/ack all, I look", { name: "ack", isForAll: true }],
    ["/ack allow me", { name: "ack" }],
    ["/ack\nall", { name: "ack" }],
    ["/mute all 2h we move", { name: "mute", isForAll: true, lasts: 2 * HOUR }],
    ["/mute all", { name: "unclear" }],
    ["/mute all night", { name: "unclear" }],
    ["/unmute all", { name: "unmute", isForAll: true }],
  ];
  for (const [body, command] of cases) assertEquals(parseCommand(body), command, body);
});

/** Minutes after the start of the outage. */
const at = (minutes: number) => NOW.add({ minutes });

const DOWN: Incident = {
  ...{ slug: "shop", kind: "down", start: NOW, confirmed: NOW, code: 0, error: "", attempts: 3 },
  ...UNCHANGED,
};
const DEGRADED: Incident = { ...DOWN, kind: "degraded" };
const WORSE: Incident = { ...DOWN, changes: [{ at: at(30), state: "down" }] };

/** The findings of a run at some minute. */
interface Found {
  minute: number;
  after?: Incident;
  responses?: Response[];
  assignees?: string[];
}

const ack = (minutes: number, by = "ann", lasts?: number): Response => (
  { way: "comment", by, at: at(minutes), ...lasts === undefined ? {} : { lasts } }
);
const assigned = (minutes: number, by = "ann"): Response => (
  { way: "assignee", by, at: at(minutes) }
);

const run = (minute: number, responses: Response[] = [], more: Partial<Found> = {}): Found => (
  { minute, responses, ...more }
);

/** After each run, who has acknowledged, or had until some event. */
function play(first: Incident, runs: readonly Found[], ackFor = 4 * HOUR): string[] {
  let before = first;
  return runs.map(({ minute, after = before, responses = [], assignees }) => {
    const now = at(minute);
    const changed = { ...after, acknowledgements: before.acknowledgements };
    const acknowledgements = applyResponses(
      { before, after: changed },
      { responses, assignees, now, ackFor },
    );
    before = { ...changed, acknowledgements };
    const one = findAcknowledgement(before, now);
    const former = findFormer(before, now);
    return one?.by ?? (former === undefined ? "-" : `${former.acknowledgement.by}: ${former.why}`);
  });
}

Deno.test("an acknowledgement holds until it gets worse, the assignee leaves, or its time is over", () => {
  const reopened = { ...DOWN, ended: [at(60)], reopened: [at(65)] };
  const cases: Record<string, [start: Incident, runs: Found[], seen: string, ackFor?: number]> = {
    "nobody": [DOWN, [run(5)], "-"],
    "from the moment of the comment on": [
      DOWN,
      [run(20, [ack(10)]), run(249), run(250)],
      "ann, ann, ann: expired",
    ],
    "seen too late": [DOWN, [run(300, [ack(10)])], "ann: expired"],
    "as long as the comment says": [
      DOWN,
      [run(20, [ack(10, "ann", HOUR)]), run(69), run(70)],
      "ann, ann, ann: expired",
    ],
    "as long as the outage": [DOWN, [run(20, [ack(10)]), run(10_000)], "ann, ann", 0],
    "the first of two counts, then the second": [DOWN, [
      run(20, [ack(15, "bob"), ack(10)]),
      run(252),
      run(256),
    ], "ann, bob, bob: expired"],
    "again after its time": [DOWN, [run(20, [ack(10)]), run(300, [ack(290)])], "ann, ann"],
    "degraded, then down": [
      DEGRADED,
      [run(20, [ack(10)]), run(31, [], { after: WORSE }), run(36)],
      "ann, ann: worse, ann: worse",
    ],
    "found in the run that finds it worse": [
      DEGRADED,
      [run(31, [ack(10)], { after: WORSE })],
      "ann: worse",
    ],
    "down, degraded, and down again is no worse": [DOWN, [
      run(20, [ack(10)]),
      run(30, [], { after: { ...DOWN, changes: [{ at: at(30), state: "degraded" }] } }),
      run(40, [], {
        after: {
          ...DOWN,
          changes: [{ at: at(30), state: "degraded" }, { at: at(40), state: "down" }],
        },
      }),
    ], "ann, ann, ann"],
    "the assignee leaves": [DOWN, [
      run(20, [assigned(10)], { assignees: ["Ann"] }),
      run(25),
      run(30, [], { assignees: ["bob"] }),
    ], "ann, ann, ann: unassigned"],
    "an assignee who stays does not acknowledge again, one who comes back does": [DOWN, [
      run(20, [assigned(10)], { assignees: ["ann"] }),
      run(260, [assigned(255)], { assignees: ["ann"] }),
      run(265, [], { assignees: [] }),
      run(270, [assigned(268)], { assignees: ["ann"] }),
    ], "ann, ann: expired, ann: expired, ann"],
    "an assignee of something less bad who leaves and comes back acknowledges what it is now": [
      DEGRADED,
      [
        run(20, [assigned(10)], { assignees: ["ann"] }),
        run(31, [], { after: WORSE, assignees: ["ann"] }),
        run(36, [], { assignees: [] }),
        run(41, [assigned(40)], { assignees: ["ann"] }),
      ],
      "ann, ann: worse, ann: unassigned, ann",
    ],
    "after the end it is too late": [DOWN, [
      run(61, [ack(60)], { after: { ...DOWN, end: at(60) } }),
    ], "-"],
    "before the end, seen after it": [DOWN, [
      run(61, [ack(59)], { after: { ...DOWN, end: at(60) } }),
    ], "ann"],
    "a reopened incident is still acknowledged, until the time of the comment is over": [DOWN, [
      run(20, [ack(10)]),
      run(61, [], { after: { ...DOWN, end: at(60) } }),
      run(66, [], { after: reopened }),
      run(70, [ack(10), ack(68, "bob")]),
      run(251),
      run(309),
    ], "ann, ann, ann, ann, bob, bob: expired"],
    "as long as the incident, however often it is reopened": [
      DOWN,
      [run(20, [ack(10)]), run(9_000, [], { after: reopened })],
      "ann, ann",
      0,
    ],
    "before the end, seen after the reopening": [
      DOWN,
      [run(66, [ack(59)], { after: reopened })],
      "ann",
    ],
    "between the end and the reopening nothing is acknowledged": [DOWN, [
      run(66, [ack(60), ack(64, "bob")], { after: reopened }),
    ], "-"],
    "degraded, up, and down again is worse": [DEGRADED, [
      run(20, [ack(10)]),
      run(61, [], { after: { ...DEGRADED, end: at(60) } }),
      run(66, [], { after: { ...reopened, changes: [{ at: at(65), state: "down" }] } }),
    ], "ann, ann, ann: worse"],
    "the assignee leaves while the site is up": [DOWN, [
      run(20, [assigned(10)], { assignees: ["ann"] }),
      run(61, [], { after: { ...DOWN, end: at(60) } }),
      run(66, [], { after: reopened }),
      run(71, [], { assignees: [] }),
    ], "ann, ann, ann, ann: unassigned"],
  };
  for (const [why, [start, runs, seen, ackFor]] of Object.entries(cases)) {
    assertEquals(play(start, runs, ackFor).join(", "), seen, why);
  }
});

Deno.test("a site is muted by the last command of those who may, however often it is read", () => {
  const written = (
    minutes: number,
    text: string,
    isAllowed = true,
  ): Parameters<typeof applyMutes>[1][number] => (
    { slug: "shop", by: "ann", at: at(minutes), command: parseCommand(text)!, isAllowed }
  );
  const mute = written(0, "/mute 2h");
  const unmute = written(10, "/unmute");
  const isMuted = (minutes: number, ...commands: (typeof mute)[]) => {
    const options = { all: ["shop", "blog"], now: at(minutes) };
    const once = applyMutes({}, commands, options);
    const twice = applyMutes(once, commands, options);
    assertEquals(twice, once);
    return listMutedSites(twice, at(minutes)).has("shop");
  };
  assertEquals(isMuted(119, mute), true);
  assertEquals(isMuted(120, mute), false);
  assertEquals(isMuted(11, mute, unmute), false);
  assertEquals(isMuted(21, mute, unmute, written(20, "/mute 1h")), true);
  assertEquals(isMuted(1, written(0, "/mute 2h", false)), false);
  assertEquals(isMuted(11, mute, written(10, "/unmute", false)), true);
  assertEquals(isMuted(1, written(0, "/mute soon")), false);
  assertEquals(applyMutes(ENDED, [], { all: [], now: at(121) }), {});
});

const ENDED = { shop: { by: "ann", at: at(0), until: at(60) } };

Deno.test("a command for all mutes every site that is configured, and unmutes every muted one", () => {
  const muted = (minutes: number, ...texts: readonly [minutes: number, text: string][]) => {
    const commands = texts.map(([minutes, text]) => (
      { slug: "shop", by: "ann", at: at(minutes), command: parseCommand(text)!, isAllowed: true }
    ));
    const mutes = applyMutes({}, commands, { all: ["shop", "blog"], now: at(minutes) });
    return [...listMutedSites(mutes, at(minutes))].join();
  };
  assertEquals(muted(1, [0, "/mute all 2h"]), "shop,blog");
  assertEquals(muted(121, [0, "/mute all 2h"]), "");
  assertEquals(muted(20, [0, "/mute all 2h"], [10, "/unmute"]), "blog");
  assertEquals(muted(20, [0, "/mute all 2h"], [10, "/unmute all"]), "");
  assertEquals(muted(30, [0, "/mute all 2h"], [10, "/unmute all"], [20, "/mute 1h"]), "shop");
  // The later command counts, also if it is for less time.
  assertEquals(muted(50, [0, "/mute 3h"], [10, "/mute all 30m"]), "");
  assertEquals(muted(1, [0, "/mute all"]), "");
});
