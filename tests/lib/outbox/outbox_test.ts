import { assertEquals } from "@std/assert";
import type { Carrier, Carriers, Effect } from "../../../lib/outbox/effect.ts";
import { claimedBy, type Entry, forgetOld, plan, settle } from "../../../lib/outbox/outbox.ts";
import { NOW } from "../../helpers/outcomes.ts";

const mail: Carrier = { describe: ({ id }) => id, carry: () => Promise.resolve({}) };
const CARRIERS: Carriers = {
  mail,
  locked: { ...mail, lacks: () => "MAIL_TOKEN" },
  file: { describe: ({ id }) => id, settle: ({ id }) => ({ path: id }) },
};

function effect(id: string, carrier = "mail"): Effect {
  return { id, carrier, data: { site: "Shop" } };
}

function run(minutes: number) {
  return { id: String(minutes).padStart(8, "0"), time: NOW.add({ minutes }) };
}

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

Deno.test("what the commit itself carries out is done as soon as it is planned", () => {
  const [entry] = plan([], [effect("a", "file")], CARRIERS, run(0));
  assertEquals([entry?.done, entry?.claim], [{ at: NOW, receipt: { path: "a" } }, undefined]);
});

Deno.test("what was carried out is remembered for a day, so that nobody plans it again", () => {
  const claimed = plan([], [effect("a")], CARRIERS, run(0));
  const done = settle(claimed, [{ id: "a", receipt: { number: 7 } }], NOW);
  assertEquals(done, [{ ...effect("a"), planned: NOW, done: { at: NOW, receipt: { number: 7 } } }]);
  assertEquals(plan(done, [effect("a")], CARRIERS, run(30)), done);
  assertEquals(forgetOld(done, NOW.add({ hours: 24 })).length, 1);
  assertEquals(forgetOld(done, NOW.add({ hours: 25 })), []);
});

Deno.test("what failed is tried by the next run, given up after a day, and at once where it is of no use", () => {
  const failed = { id: "a", failure: "no answer", permanent: false };
  const claimed = plan([], [effect("a")], CARRIERS, run(0));
  const [entry] = settle(claimed, [failed], NOW);
  assertEquals([entry?.claim, entry?.failure, entry?.done], [undefined, "no answer", undefined]);
  const again = plan([entry!], [], CARRIERS, run(5));
  assertEquals(claimants(again), ["00000005"]);
  const late = NOW.add({ hours: 25 });
  assertEquals(settle(again, [failed], late)[0]?.done, { at: late });
  assertEquals(settle(claimed, [{ ...failed, permanent: true }], NOW)[0]?.done, { at: NOW });
});

Deno.test("what another run has settled meanwhile stays as that run left it", () => {
  const claimed = plan([], [effect("a")], CARRIERS, run(0));
  const done = settle(claimed, [{ id: "a", receipt: { number: 7 } }], NOW);
  assertEquals(settle(done, [{ id: "a", failure: "late", permanent: true }], NOW), done);
});
