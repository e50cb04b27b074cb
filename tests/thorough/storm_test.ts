import { assert, assertEquals } from "@std/assert";
import { makeRig } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { patientClock } from "../helpers/patient_clock.ts";
import { incidentsAt } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import type { Clock } from "../../lib/io/clock.ts";

/** Sites that fail at once. */
const SITES = 150;
const GROUPS = 6;
/** Most runs until everything is sent. */
const MOST_RUNS = 30;
/** Requests to GitHub's API that a token of a job has in an hour. */
const REQUESTS_AN_HOUR = 1_000;

/** The clock of this machine some minutes ahead. */
function clockAhead(minutes: number): Clock {
  return { ...patientClock, now: () => patientClock.now().add({ minutes }) };
}

Deno.test(`a storm of ${SITES} outages takes few requests, and loses no incident and no message`, async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using chat = await vendorServer({ status: 200 });
  await using pager = await vendorServer({ status: 202, body: '{"status":"success"}' });
  const names = Array.from({ length: SITES }, (_, index) => `s${10_000 + index}`);
  const sites = Object.fromEntries(
    names.map((name, index) => [name, { group: `Group ${index % GROUPS}` }]),
  );
  await using rig = await makeRig(scratch, {
    sites,
    notifications: [
      { type: "webhook", "webhook-url": "$HOOK", on: ["down", "up"] },
      { type: "pagerduty", "integration-key": "$KEY", url: "$PAGER", on: ["down", "up"] },
    ],
    secrets: { HOOK: chat.url, PAGER: pager.url, KEY: "R".repeat(32) },
  });
  let minutes = 0;
  const update = async () => {
    const before = [github.requests.length, chat.seen.length, pager.seen.length] as const;
    const { code, stderr } = await rig.update({ clock: clockAhead(minutes), env: github.env });
    assertEquals(code, 0, stderr.slice(0, 2_000));
    minutes += 5;
    const [requests, messages, pages] = [github.requests, chat.seen, pager.seen]
      .map(({ length }, index) => length - before[index]!);
    assert(requests! < REQUESTS_AN_HOUR / 10, `${requests} requests to GitHub in a run`);
    return messages! + pages!;
  };
  /** Runs until one has nothing to send. */
  const settle = async () => {
    for (let run = 1; run <= MOST_RUNS; run++) {
      if (await update() === 0) return;
    }
    throw new Error(`messages are still sent after ${MOST_RUNS} runs`);
  };
  /** Slugs in the events of a type that the chat got. */
  const heard = (type: string) =>
    chat.seen.flatMap(({ json }) => json.events)
      .flatMap((event: { type: string; site: { slug: string } }) =>
        event.type === type ? [event.site.slug] : []
      ).sort();
  const paged = (action: string) =>
    pager.seen.flatMap(({ json }) => json.event_action === action ? [json.dedup_key] : []);

  assertEquals(await update(), 0);
  rig.turn(503);
  await settle();
  const issues = await github.issues();
  assertEquals(issues.map(({ state }) => state), Array.from({ length: GROUPS }, () => "open"));
  assertEquals(heard("down"), names);
  assertEquals(paged("trigger").length, 1);

  rig.turn(200);
  await settle();
  assertEquals(heard("up"), names);
  assertEquals(paged("resolve").sort(), paged("trigger").sort());
  assertEquals(heard("down").length, SITES);
  assertEquals((await github.issues()).map(({ state }) => state), issues.map(() => "closed"));
  const incidents = await incidentsAt(rig.folder);
  assertEquals(incidents.length, SITES);
  assertEquals(incidents.filter(({ end }) => end === undefined), []);
  assertEquals(github.violations, []);
});
