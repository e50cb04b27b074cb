import { assertEquals } from "@std/assert";
import type { Carrier, Carriers, Effect } from "../../../lib/outbox/effect.ts";
import {
  claimedBy,
  type Entry,
  type Failed,
  forgetOld,
  plan,
  settle,
} from "../../../lib/outbox/outbox.ts";
import { NOW } from "../../helpers/outcomes.ts";

const mail: Carrier = { carry: () => Promise.resolve({}) };
const CARRIERS: Carriers = {
  mail,
  locked: { ...mail, lacks: () => "MAIL_TOKEN" },
};

function effect(id: string, carrier = "mail"): Effect {
  return { id, carrier, what: `do ${id}`, data: { site: "Shop" } };
}

function run(minutes: number) {
  return { id: String(minutes).padStart(8, "0"), time: NOW.add({ minutes }) };
}

const FAILED: Failed = { id: "a", failure: "no answer", prospect: "passing" };

function claimants(outbox: readonly Entry[]): (string | undefined)[] {
  return outbox.map(({ claim }) => claim?.run);
}

Deno.test("what is planned twice stands in the outbox once, and goes on as it was", () => {
  const once = plan([], [effect("a")], CARRIERS, run(0));
  assertEquals(plan(once, [effect("a"), effect("a")], CARRIERS, run(1)), once);
});

Deno.test("others leave a claim alone until it runs out, and then the next run has it", () => {
  const claimed = plan([], [effect("a")], CARRIERS, run(0));
  assertEquals(claimants(plan(claimed, [], CARRIERS, run(9))), ["00000000"]);
  assertEquals(claimants(plan(claimed, [], CARRIERS, run(10))), ["00000010"]);
});

Deno.test("a claim that a clock far ahead has made holds nothing up", () => {
  const claimed = plan([], [effect("a")], CARRIERS, run(60));
  assertEquals(claimants(plan(claimed, [], CARRIERS, run(0))), ["00000000"]);
});

Deno.test("what a run lacks something for, or has no carrier for, waits for another run", () => {
  const outbox = plan([], [effect("a", "locked"), effect("b", "later")], CARRIERS, run(0));
  assertEquals([claimants(outbox), outbox.map(({ done }) => done)], [
    [undefined, undefined],
    [undefined, undefined],
  ]);
  assertEquals(claimedBy(outbox, "00000000"), []);
  const able = plan(outbox, [], { ...CARRIERS, locked: mail }, run(5));
  assertEquals(claimedBy(able, "00000005").map(({ id }) => id), ["a"]);
});

Deno.test("nobody is at an effect before its time", () => {
  const late = { ...effect("a"), notBefore: NOW.add({ minutes: 7 }) };
  const outbox = plan([], [late], CARRIERS, run(0));
  assertEquals(claimants(outbox), [undefined]);
  assertEquals(claimants(plan(outbox, [], CARRIERS, run(7))), ["00000007"]);
});

Deno.test("effects of one line are claimed in their order, and none before one that another run is at", () => {
  const line = (id: string, carrier?: string) => ({ ...effect(id, carrier), line: "shop" });
  const first = plan([], [line("a")], CARRIERS, run(0));
  const both = plan(first, [line("b"), effect("c")], CARRIERS, run(5));
  assertEquals(claimants(both), ["00000000", undefined, "00000005"]);
  assertEquals(claimants(plan(both, [], CARRIERS, run(10))), ["00000010", "00000010", "00000005"]);
  const locked = plan([], [line("a", "locked"), line("b")], CARRIERS, run(0));
  assertEquals(claimants(locked), [undefined, undefined]);
});

Deno.test("an effect passes an earlier one of its line that is about something else", () => {
  const about = (id: string, ...about: string[]) => ({ ...effect(id), line: "jo", about });
  const first = plan([], [about("a", "shop")], CARRIERS, run(0));
  const others = [about("b", "shop"), about("c", "post"), about("d", "post", "shop")];
  assertEquals(claimants(plan(first, others, CARRIERS, run(5))), [
    "00000000",
    undefined,
    "00000005",
    undefined,
  ]);
});

Deno.test("a claim counts from the moment it is made, for as long as its carrier says", () => {
  const carriers = { mail: { ...mail, claimMinutes: 3 } };
  const late = { ...run(0), now: run(4).time };
  const claimed = plan([], [effect("a")], carriers, late);
  assertEquals(claimants(plan(claimed, [], carriers, run(6))), ["00000000"]);
  assertEquals(claimants(plan(claimed, [], carriers, run(7))), ["00000007"]);
});

Deno.test("what waits for one that failed before it is free for the next run", () => {
  const claimed = plan([], [effect("a"), effect("b")], CARRIERS, run(0));
  const settled = settle(claimed, [FAILED, { id: "b", isHeldUp: true }], NOW);
  assertEquals(claimants(settled), [undefined, undefined]);
  assertEquals(settled.map(({ failure, done }) => [failure, done]), [
    ["no answer", undefined],
    [undefined, undefined],
  ]);
});

Deno.test("what says when it may be tried again is not tried before", () => {
  const claimed = plan([], [effect("a")], CARRIERS, run(0));
  const settled = settle(claimed, [{ ...FAILED, retryAfter: 420_000 }], NOW);
  assertEquals(claimants(plan(settled, [], CARRIERS, run(5))), [undefined]);
  const [entry] = plan(settled, [], CARRIERS, run(7));
  assertEquals(entry?.claim?.run, "00000007");
  const done = settle([entry!], [{ id: "a", receipt: {} }], NOW);
  assertEquals(done[0]?.notBefore, undefined);
});

Deno.test("what was carried out is remembered for two days, so that nobody plans it again", () => {
  const claimed = plan([], [effect("a")], CARRIERS, run(0));
  const done = settle(claimed, [{ id: "a", receipt: { number: 7 } }], NOW);
  const receipt = { at: NOW, receipt: { number: 7 } };
  assertEquals(done, [{ ...effect("a"), data: {}, planned: NOW, done: receipt }]);
  assertEquals(plan(done, [effect("a")], CARRIERS, run(30)), done);
  assertEquals(forgetOld(done, NOW.add({ hours: 48 })).length, 1);
  assertEquals(forgetOld(done, NOW.add({ hours: 49 })), []);
});

Deno.test("what failed is tried by the next run, given up after a day, and at once where it is of no use", () => {
  const claimed = plan([], [effect("a")], CARRIERS, run(0));
  const [entry] = settle(claimed, [FAILED], NOW);
  assertEquals([entry?.claim, entry?.failure, entry?.done], [undefined, "no answer", undefined]);
  const again = plan([entry!], [], CARRIERS, run(5));
  assertEquals(claimants(again), ["00000005"]);
  const late = NOW.add({ hours: 25 });
  assertEquals(settle(again, [FAILED], late)[0]?.done, { at: late });
  assertEquals(settle(claimed, [{ ...FAILED, prospect: "final" }], NOW)[0]?.done, { at: NOW });
});

Deno.test("what another run has settled meanwhile stays as that run left it", () => {
  const claimed = plan([], [effect("a")], CARRIERS, run(0));
  const done = settle(claimed, [{ id: "a", receipt: { number: 7 } }], NOW);
  assertEquals(settle(done, [{ ...FAILED, prospect: "final" }], NOW), done);
});
