import { assertEquals } from "@std/assert";
import { isBlind, type Streak } from "../../../lib/evaluation/results.ts";
import { NOW } from "../../helpers/outcomes.ts";

const PLAIN: Streak = { slow: [], recent: "" };
const UNKNOWN: Streak = { ...PLAIN, unknown: { runs: 1, since: NOW, reason: "no secret" } };
const SITES = [{ slug: "a" }, { slug: "b" }];

/** If nothing is monitored while two sites have these streaks. */
function judge(a: Streak | undefined, b: Streak | undefined): boolean | undefined {
  const streaks = new Map<string, Streak>();
  if (a !== undefined) streaks.set("a", a);
  if (b !== undefined) streaks.set("b", b);
  return isBlind(SITES, streaks, NOW);
}

Deno.test("nothing is monitored if no site had a result when it was last checked", () => {
  assertEquals(judge(UNKNOWN, UNKNOWN), true);
  assertEquals(judge(UNKNOWN, PLAIN), false);
  const failing = { runs: 1, attempts: 3, since: NOW };
  assertEquals(judge(UNKNOWN, { ...PLAIN, failing, heartbeat: { since: NOW } }), false);
});

Deno.test("nothing is said of what is monitored while a site was never checked", () => {
  assertEquals(judge(UNKNOWN, undefined), undefined);
  assertEquals(judge(PLAIN, undefined), false);
  assertEquals(isBlind([], new Map(), NOW), undefined);
});

Deno.test("a site that asks not to be checked now, or a job without a beat yet, doesn't count", () => {
  const pending = { ...PLAIN, heartbeat: { since: NOW } };
  const resting = { ...UNKNOWN, restUntil: NOW.add({ seconds: 1 }) };
  for (const one of [pending, resting]) {
    assertEquals([judge(UNKNOWN, one), judge(one, one)], [true, undefined]);
  }
  assertEquals(judge(UNKNOWN, { ...resting, restUntil: NOW }), true);
});
