import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { probe } from "../../../lib/checks/mod.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { parseBeat } from "../../../lib/checks/heartbeat/beat.ts";
import { findNextDue } from "../../../lib/checks/heartbeat/next_due.ts";
import type { Heartbeat } from "../../../lib/checks/heartbeat/heartbeat.ts";
import { type ScheduleTimes, scheduleTimes } from "../../../lib/config/schedule.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { type Keys, observe, siteOf } from "../../helpers/sites.ts";

const BACKUP = { check: "heartbeat", variable: "HEARTBEAT_BACKUP", every: "1h", grace: "10m" };

/** A time of 23 November 2026, or of the day given. */
function at(time: string): Temporal.Instant {
  return Temporal.Instant.from(time.length > 8 ? time : `2026-11-23T${time}Z`);
}

/** A variable in each run: the time, the value (`undefined` if it is not passed), and the result. */
type Step = [time: string, value: string | undefined, expected: string];

/** Checks a job run by run; results are `up`, `pending: …`, `unknown: …` or `down since TIME: …`. */
async function live(keys: Keys, steps: readonly Step[]): Promise<void> {
  let heartbeat: Heartbeat | undefined;
  const { target } = await siteOf({ ...BACKUP, ...keys });
  for (const [time, value, expected] of steps) {
    const { failure, remark, ...observed } = await probe(target, {
      ...{ signal: new AbortController().signal, root: "/", userAgent: "monitor-action" },
      secrets: new Secrets(),
      now: at(time),
      heartbeat,
      readVariable: (name) => name === "HEARTBEAT_BACKUP" ? value : undefined,
    });
    heartbeat = observed.heartbeat;
    const { kind, reason = "", since } = failure ?? {};
    const shown = kind === undefined
      ? ["up", remark ?? []].flat().join(", ")
      : kind === "pending"
      ? reason
      : kind === "configuration"
      ? `unknown: ${reason}`
      : `down since ${`${since}`.slice(11, 19)}: ${reason}`;
    assert(shown.startsWith(expected), `${time} ${value}: ${shown}`);
  }
}

const NEVER: Step = ["07:00:00", "", "pending: no beat has come yet"];

Deno.test("a job is up until its next end is overdue, and down from the deadline on", async () => {
  await live({}, [
    NEVER,
    ["08:00:05", "ok 2026-11-23T08:00:00Z", "up"],
    // A run that comes at the deadline itself is in time, and so is a beat.
    ["09:10:00", "ok 2026-11-23T08:00:00Z", "up"],
    [
      "11:00:00",
      "ok 2026-11-23T08:00:00Z",
      "down since 09:10:00: no beat since 2026-11-23 08:00 UTC: the one due at 2026-11-23 09:00 UTC is more than 10 minutes late",
    ],
    ["11:05:00", "ok 2026-11-23T11:04:00Z", "up"],
  ]);
});

Deno.test("a job that fails is down at once, until it ends well", async () => {
  await live({}, [
    ["08:00:05", "ok 2026-11-23T08:00:00Z", "up"],
    ["08:10:00", "fail 2026-11-23T08:05:00Z", "down since 08:05:00: the job reported a failure"],
    ["08:20:00", "3 2026-11-23T08:15:00Z", "down since 08:15:00: the job ended with exit code 3"],
    ["08:25:00", "start 2026-11-23T08:24:00Z", "down since 08:15:00: the job ended with exit"],
    ["08:30:00", "0 2026-11-23T08:26:00Z", "up"],
  ]);
});

Deno.test("a started job must end within its grace, and further starts don't extend it", async () => {
  await live({}, [
    ["07:59:00", "start 2026-11-23T07:58:00Z", "pending: the job started at 2026-11-23 07:58 UTC"],
    ["08:00:05", "ok 2026-11-23T08:00:00Z", "up"],
    ["08:31:00", "start 2026-11-23T08:30:00Z", "up"],
    ["08:39:00", "start 2026-11-23T08:38:00Z", "up"],
    [
      "08:41:00",
      "start 2026-11-23T08:38:00Z",
      "down since 08:40:00: the job started at 2026-11-23 08:30 UTC and did not end within 10 minutes",
    ],
    ["08:50:00", "ok 2026-11-23T08:49:00Z", "up"],
  ]);
});

Deno.test("an older heartbeat never replaces a newer one, and within one second an end wins", async () => {
  await live({}, [
    ["08:20:00", "fail 2026-11-23T08:15:00Z", "down since 08:15:00"],
    // A workflow run that is made again sees an old value.
    ["08:21:00", "ok 2026-11-23T08:00:00Z", "down since 08:15:00"],
    ["08:22:00", "ok 2026-11-23T08:21:00Z", "up"],
    ["08:23:00", "start 2026-11-23T08:21:00Z", "up"],
    ["08:40:00", "start 2026-11-23T08:21:00Z", "up"],
  ]);
});

Deno.test("a heartbeat from the future counts from when it is first read, and is reported", async () => {
  const ahead = "ok 2026-11-23T10:00:00Z";
  const remark = "up, the clock of its sender is 2 hours ahead: the beat counts from when it was";
  await live({}, [
    ["08:00:00", ahead, remark],
    ["09:00:00", ahead, remark],
    ["09:10:01", ahead, "down since 09:10:00: no beat since 2026-11-23 08:00 UTC"],
    ["10:30:00", ahead, "down since 09:10:00"],
    // Once the clock is right, its beats count again.
    ["10:31:00", "ok 2026-11-23T10:30:30Z", "up"],
    ["10:32:00", "ok 2026-11-23T10:32:20Z", "up"],
  ]);
});

Deno.test("a job without a first heartbeat is overdue only if the configuration expects one", async () => {
  await live({}, [NEVER, ["23:00:00", "", "pending: no beat has come yet"]]);
  await live({ expectFirst: true }, [
    NEVER,
    ["08:10:00", "", "pending: no beat has come yet"],
    [
      "08:20:00",
      "",
      "down since 08:10:00: no beat received yet: the first one, due at 2026-11-23 08:00 UTC, is more than 10 minutes late",
    ],
    ["08:30:00", "ok 2026-11-23T08:29:00Z", "up"],
  ]);
});

Deno.test("a variable that is gone, can't be read or is not passed makes the state unknown", async () => {
  await live({}, [
    ["07:00:00", undefined, "unknown: HEARTBEAT_BACKUP is not set here"],
    NEVER,
    ["08:00:05", "ok 2026-11-23T08:00:00Z", "up"],
    ["08:10:00", "", "unknown: the variable HEARTBEAT_BACKUP is missing: it was deleted, renamed"],
    ["08:10:00", "done", 'unknown: HEARTBEAT_BACKUP: expected a beat such as "ok 2026-11-23T'],
    ["08:11:00", "ok 2026-11-23T08:00:00Z", "up"],
  ]);
});

Deno.test("a schedule is evaluated in its time zone, and the error has its times in UTC", async () => {
  await live({ every: "0 3 * * *", timezone: "Europe/Vienna", grace: "30m" }, [
    // Two minutes before its time: this beat is that of the day before.
    ["01:58:30", "ok 2026-11-23T01:58:00Z", "up"],
    ["02:30:00", "ok 2026-11-23T01:58:00Z", "up"],
    [
      "02:31:00",
      "ok 2026-11-23T01:58:00Z",
      "down since 02:30:00: no beat since 2026-11-23 01:58 UTC: the one due at 2026-11-23 02:00 UTC is more than 30 minutes late",
    ],
    ["02:32:00", "ok 2026-11-23T02:31:30Z", "up"],
    ["2026-11-24T02:30:00Z", "ok 2026-11-23T02:31:30Z", "up"],
    ["2026-11-24T02:30:01Z", "ok 2026-11-23T02:31:30Z", "down since 02:30:00"],
  ]);
});

Deno.test("in nights with a clock change either moment counts, and one is enough", () => {
  const cases: [schedule: string, after: string, due: string][] = [
    // 02:30 does not exist on 29 March in Vienna: from 03:00 summer time (01:00 UTC) to 03:30.
    ["30 2 * * *", "2026-03-29T00:59:59Z", "2026-03-29T01:30:00Z"],
    ["30 2 * * *", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"],
    // It occurs twice on 25 October, at 00:30 and 01:30 UTC.
    ["30 2 * * *", "2026-10-25T00:29:59Z", "2026-10-25T01:30:00Z"],
    ["30 2 * * *", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
    ["30 2 * * *", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"],
    ["*/20 2 * * *", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"],
    ["*/20 2 * * *", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"],
    ["*/20 2 * * *", "2026-10-24T23:59:59Z", "2026-10-25T01:00:00Z"],
    ["*/20 2 * * *", "2026-10-25T00:00:00Z", "2026-10-25T01:20:00Z"],
    ["*/20 2 * * *", "2026-10-25T00:40:00Z", "2026-10-26T01:00:00Z"],
    ["*/30 2 * * *", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"],
    ["*/30 2 * * *", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"],
    ["*/30 2 * * *", "2026-10-25T00:00:00Z", "2026-10-25T01:30:00Z"],
    ["*/30 2 * * *", "2026-10-25T00:30:00Z", "2026-10-26T01:00:00Z"],
    ["0 3 29 2 *", "2026-11-23T00:00:00Z", "2028-02-29T02:00:00Z"],
  ];
  for (const [schedule, after, due] of cases) {
    const times = scheduleTimes(schedule) as ScheduleTimes;
    assertEquals(`${findNextDue(times, "Europe/Vienna", at(after))}`, due, `${schedule} ${after}`);
  }
});

Deno.test("grace is a fifth of the interval, at least five minutes, and an hour for a schedule", async () => {
  const value = "ok 2026-11-23T03:00:00Z";
  const deadlines: [every: string | number, deadline: string][] = [
    ["1h", "04:12:00"],
    [10, "03:15:00"],
    ["0 4 * * *", "05:00:00"],
  ];
  for (const [every, deadline] of deadlines) {
    const expected = `down since ${deadline}`;
    await live({ every, grace: undefined }, [[deadline, value, "up"], [
      "09:00:00",
      value,
      expected,
    ]]);
  }
});

Deno.test("heartbeats are parsed in every form that jobs write", () => {
  const time = "2026-11-23T03:04:05Z";
  const [seconds, milliseconds] = [at(time).epochMilliseconds / 1000, at(time).epochMilliseconds];
  const cases: Record<string, string> = {
    [`ok ${time}`]: "ok",
    [`OK ${time} 12m`]: "ok 720000",
    [` start\t${time}\n`]: "start",
    [`fail ${time} 1.5`]: "fail 1500",
    [`0 ${seconds}`]: "ok",
    [`255 ${milliseconds} 2s`]: "fail 2000 code 255",
    [`${seconds}`]: "ok",
    [`ok ${seconds}.0004`]: "ok",
    "2026-11-23T04:04:05+01:00": "ok",
    "2026-11-23T03:04:05,000123456+00:00": "ok",
    "2026-11-23T04:04:05+0100 3s": "ok 3000",
  };
  for (const [text, expected] of Object.entries(cases)) {
    const beat = parseBeat(text);
    assert(typeof beat !== "string", text);
    assertEquals(`${beat.at}`, time);
    const code = beat.code === undefined ? [] : `code ${beat.code}`;
    assertEquals([beat.kind, beat.duration ?? [], code].flat().join(" "), expected, text);
  }
  const wrong = [
    "",
    "ok",
    "3",
    "256 2026-11-23T03:04:05Z",
    "ok 2026-11-23T03:04:05",
    "ok 2026-11-23",
  ];
  for (
    const text of [
      ...wrong,
      `${"9".repeat(20)}`,
      `ok ${time} soon`,
      `ok ${time} 3s 4s`,
      `ok ${time} 367d`,
    ]
  ) {
    assertStringIncludes(String(parseBeat(text)), "expected a beat such as", text);
  }
  assertEquals(parseBeat("fail 3s", at(time)), { kind: "fail", at: at(time), duration: 3000 });
});

Deno.test("the duration of a job is its response time, in the run that reads its end", async () => {
  let heartbeat: Heartbeat | undefined;
  const times: unknown[] = [];
  const values = [
    "start 2026-11-23T08:00:00Z",
    "ok 2026-11-23T08:03:00Z",
    "ok 2026-11-23T08:03:00Z",
  ];
  for (const value of [...values, "ok 2026-11-23T08:04:00Z 7s"]) {
    const now = at("08:05:00");
    const observed = await observe(BACKUP, { now, heartbeat, readVariable: () => value });
    heartbeat = observed.heartbeat;
    times.push(observed.failure?.kind ?? (observed.isUnmeasured ? "none" : observed.responseTime));
  }
  assertEquals(times, ["pending", 180_000, "none", 7000]);
});

Deno.test("the last line of a file is a heartbeat, and a missing file makes the state unknown", async () => {
  await using scratch = await makeScratch();
  const keys = { ...BACKUP, variable: undefined, file: "backup.txt" };
  const options = { now: at("08:05:00"), root: scratch.path };
  const first = await observe(keys, options);
  assertEquals(first.failure?.kind, "pending");
  const lines = Array.from({ length: 100 }, () => "fail 2026-11-22T08:00:00Z");
  await scratch.write("backup.txt", [...lines, "ok 2026-11-23T08:00:00Z", ""].join("\n"));
  const { heartbeat, failure } = await observe(keys, options);
  assertEquals(failure, undefined);
  await Deno.remove(`${scratch.path}/backup.txt`);
  const gone = await observe(keys, { ...options, heartbeat });
  assertEquals(gone.failure?.kind, "configuration");
  await Deno.mkdir(`${scratch.path}/backup.txt`);
  const folder = await observe(keys, options);
  assertStringIncludes(folder.failure!.reason, "backup.txt can't be read: it is no file");
  assertStringIncludes(gone.failure!.reason, "backup.txt is missing");
});

Deno.test("a dispatch event without a time is a heartbeat of now, and other events are none", async () => {
  const keys = { ...BACKUP, variable: undefined, dispatch: "backup" };
  const { target } = await siteOf(keys);
  let heartbeat: Heartbeat | undefined;
  const seen: string[] = [];
  const payloads = ["null", '{"other":"fail"}', '{"backup":"ok"}', "null", '{"backup":3}', "{"];
  payloads.push('{"backup":["ok"]}', '{"backup":{"toString":1,"valueOf":1}}');
  for (const [index, payload] of [...payloads, undefined].entries()) {
    const observed = await probe(target, {
      ...{ signal: new AbortController().signal, root: "/", userAgent: "monitor-action" },
      secrets: new Secrets(),
      now: at(`08:0${index}:00`),
      heartbeat,
      readVariable: (name) => name === "HEARTBEAT_DISPATCH" ? payload : undefined,
    });
    heartbeat = observed.heartbeat;
    seen.push(`${observed.failure?.kind ?? "up"} ${heartbeat?.end?.at ?? ""}`.trim());
  }
  assertEquals(seen, [
    "pending",
    "pending",
    "up 2026-11-23T08:02:00Z",
    "up 2026-11-23T08:02:00Z",
    "answer 2026-11-23T08:04:00Z",
    ...Array(4).fill("configuration 2026-11-23T08:04:00Z"),
  ]);
});

Deno.test("one source of heartbeats is enough", async () => {
  const keys = { ...BACKUP, dispatch: "backup" };
  const now = at("08:05:00");
  const readVariable = (name: string) =>
    name === "HEARTBEAT_BACKUP" ? "ok 2026-11-23T08:00:00Z" : undefined;
  assertEquals((await observe(keys, { now, readVariable })).failure, undefined);
  const neither = await observe(keys, { now });
  assertEquals(neither.failure?.kind, "configuration");
  assertStringIncludes(neither.failure!.reason, "HEARTBEAT_BACKUP is not set here");
});

Deno.test("a heartbeat with only the removed endpoint is kept and unknown, and keeps its last beat", async () => {
  const site = { check: "heartbeat", every: "1h", endpoint: "$BEAT", acceptGet: true };
  const known = { since: at("07:00:00"), end: { kind: "ok" as const, at: at("08:00:00") } };
  const { failure, heartbeat } = await observe(site, { now: at("08:05:00"), heartbeat: known });
  assertEquals(failure, {
    kind: "configuration",
    reason: 'endpoint was removed: set file or variable, which "monitor beat" writes',
  });
  assertEquals(heartbeat, known);
  const both = { ...site, variable: "HEARTBEAT_BACKUP" };
  const readVariable = () => "ok 2026-11-23T08:00:00Z";
  assertEquals((await observe(both, { now: at("08:05:00"), readVariable })).failure, undefined);
});

Deno.test("a heartbeat check needs no address, and thresholds of other checks don't apply to it", async () => {
  const site = await siteOf({ ...BACKUP, failureThreshold: 3, retry: { delays: [1] } });
  const { url, failureThreshold, successThreshold, retry, maxResponseTime } = site;
  assertEquals([url, failureThreshold, successThreshold, retry.delays], ["", 1, 1, []]);
  assertEquals(maxResponseTime, Infinity);
});
