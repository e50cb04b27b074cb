import { assertEquals } from "@std/assert";
import type { Effect, EffectHandler, EffectHandlers } from "../../../lib/outbox/effect.ts";
import {
  dropOld,
  enqueueEffects,
  type Entry,
  type FailedEffect,
  selectClaimed,
  selectRefused,
  settle,
} from "../../../lib/outbox/outbox.ts";
import { NOW } from "../../helpers/outcomes.ts";

const mail: EffectHandler = { execute: () => Promise.resolve({}) };
const CARRIERS: EffectHandlers = { mail, locked: { ...mail, findObstacle: () => "MAIL_TOKEN" } };

function effect(id: string, handler = "mail"): Effect {
  return { id, handler, description: `do ${id}`, data: { site: "Shop" } };
}

function run(minutes: number) {
  const time = NOW.add({ minutes });
  return { id: String(minutes).padStart(8, "0"), time, now: time };
}

const FAILED: FailedEffect = { id: "a", failure: "no answer", kind: "transient" };

function claimants(outbox: readonly Entry[]): (string | undefined)[] {
  return outbox.map(({ claim }) => claim?.run);
}

Deno.test("an effect planned twice is in the outbox once, unchanged", () => {
  const once = enqueueEffects([], [effect("a")], CARRIERS, run(0));
  assertEquals(enqueueEffects(once, [effect("a"), effect("a")], CARRIERS, run(1)), once);
});

Deno.test("a claim is respected until it expires, then the next run takes it", () => {
  const claimed = enqueueEffects([], [effect("a")], CARRIERS, run(0));
  assertEquals(claimants(enqueueEffects(claimed, [], CARRIERS, run(9))), ["00000000"]);
  assertEquals(claimants(enqueueEffects(claimed, [], CARRIERS, run(10))), ["00000010"]);
});

Deno.test("a claim from a clock far ahead is ignored", () => {
  const claimed = enqueueEffects([], [effect("a")], CARRIERS, run(60));
  assertEquals(claimants(enqueueEffects(claimed, [], CARRIERS, run(0))), ["00000000"]);
});

Deno.test("an effect without its token or handler waits for another run", () => {
  const outbox = enqueueEffects(
    [],
    [effect("a", "locked"), effect("b", "later")],
    CARRIERS,
    run(0),
  );
  assertEquals([claimants(outbox), outbox.map(({ done }) => done)], [
    [undefined, undefined],
    [undefined, undefined],
  ]);
  assertEquals(selectClaimed(outbox, "00000000"), []);
  const able = enqueueEffects(outbox, [], { ...CARRIERS, locked: mail }, run(5));
  assertEquals(selectClaimed(able, "00000005").map(({ id }) => id), ["a"]);
});

Deno.test("no effect is claimed before its time", () => {
  const late = { ...effect("a"), notBefore: NOW.add({ minutes: 7 }) };
  const outbox = enqueueEffects([], [late], CARRIERS, run(0));
  assertEquals(claimants(outbox), [undefined]);
  assertEquals(claimants(enqueueEffects(outbox, [], CARRIERS, run(7))), ["00000007"]);
});

Deno.test("effects of one queue are claimed in their order, and none before one that another run is at", () => {
  const queued = (id: string, handler?: string) => ({ ...effect(id, handler), queue: "shop" });
  const first = enqueueEffects([], [queued("a")], CARRIERS, run(0));
  const both = enqueueEffects(first, [queued("b"), effect("c")], CARRIERS, run(5));
  assertEquals(claimants(both), ["00000000", undefined, "00000005"]);
  assertEquals(claimants(enqueueEffects(both, [], CARRIERS, run(10))), [
    "00000010",
    "00000010",
    "00000005",
  ]);
  const locked = enqueueEffects([], [queued("a", "locked"), queued("b")], CARRIERS, run(0));
  assertEquals(claimants(locked), [undefined, undefined]);
});

Deno.test("an effect passes an earlier one of its queue that is about something else", () => {
  const about = (id: string, ...about: string[]) => ({
    ...effect(id),
    queue: "jo",
    about,
  });
  const first = enqueueEffects([], [about("a", "shop")], CARRIERS, run(0));
  const others = [about("b", "shop"), about("c", "post"), about("d", "post", "shop")];
  assertEquals(claimants(enqueueEffects(first, others, CARRIERS, run(5))), [
    "00000000",
    undefined,
    "00000005",
    undefined,
  ]);
});

Deno.test("a claim counts from the moment it is made, for as long as its handler says", () => {
  const handlers = { mail: { ...mail, claimMinutes: 3 } };
  const late = { ...run(0), now: run(4).time };
  const claimed = enqueueEffects([], [effect("a")], handlers, late);
  assertEquals(claimants(enqueueEffects(claimed, [], handlers, run(6))), ["00000000"]);
  assertEquals(claimants(enqueueEffects(claimed, [], handlers, run(7))), ["00000007"]);
});

Deno.test("an effect held up by a failed one is free for the next run", () => {
  const claimed = enqueueEffects([], [effect("a"), effect("b")], CARRIERS, run(0));
  const settled = settle(claimed, [FAILED, { id: "b", isBlocked: true }], NOW);
  assertEquals(claimants(settled), [undefined, undefined]);
  assertEquals(settled.map(({ failure, done }) => [failure, done]), [
    ["no answer", undefined],
    [undefined, undefined],
  ]);
});

Deno.test("an effect with a retry time is not tried earlier", () => {
  const claimed = enqueueEffects([], [effect("a")], CARRIERS, run(0));
  const settled = settle(claimed, [{ ...FAILED, retryAfter: 420_000 }], NOW);
  assertEquals(claimants(enqueueEffects(settled, [], CARRIERS, run(5))), [undefined]);
  const [entry] = enqueueEffects(settled, [], CARRIERS, run(7));
  assertEquals(entry?.claim?.run, "00000007");
  const done = settle([entry!], [{ id: "a", receipt: {} }], NOW);
  assertEquals(done[0]?.notBefore, undefined);
});

Deno.test("executed effects are kept for two days, so that no run plans them again", () => {
  const claimed = enqueueEffects([], [effect("a")], CARRIERS, run(0));
  const done = settle(claimed, [{ id: "a", receipt: { number: 7 } }], NOW);
  const receipt = { at: NOW, receipt: { number: 7 } };
  assertEquals(done, [{ ...effect("a"), data: {}, planned: NOW, done: receipt }]);
  assertEquals(enqueueEffects(done, [effect("a")], CARRIERS, run(30)), done);
  assertEquals(dropOld(done, NOW.add({ hours: 48 })).length, 1);
  assertEquals(dropOld(done, NOW.add({ hours: 49 })), []);
});

Deno.test("failed effects are retried by later runs, given up after a day, and at once if permanent", () => {
  const claimed = enqueueEffects([], [effect("a")], CARRIERS, run(0));
  const [entry] = settle(claimed, [FAILED], NOW);
  assertEquals([entry?.claim, entry?.failure, entry?.done], [undefined, "no answer", undefined]);
  const again = enqueueEffects([entry!], [], CARRIERS, run(5));
  assertEquals(claimants(again), ["00000005"]);
  const late = NOW.add({ hours: 25 });
  assertEquals(settle(again, [FAILED], late)[0]?.done, { at: late });
  assertEquals(settle(claimed, [{ ...FAILED, kind: "permanent" }], NOW)[0]?.done, { at: NOW });
});

Deno.test("results of another run stay", () => {
  const claimed = enqueueEffects([], [effect("a")], CARRIERS, run(0));
  const done = settle(claimed, [{ id: "a", receipt: { number: 7 } }], NOW);
  assertEquals(settle(done, [{ ...FAILED, kind: "permanent" }], NOW), done);
});

Deno.test("an effect waits a month at most, whatever a server asks for", () => {
  const claimed = enqueueEffects([], [effect("a")], CARRIERS, run(0));
  for (const retryAfter of [Infinity, 1e300, 40 * 86_400_000]) {
    const [entry] = settle(claimed, [{ ...FAILED, retryAfter }], NOW);
    assertEquals(entry!.notBefore, NOW.add({ hours: 31 * 24 }));
  }
});

Deno.test("an effect that expires is never given up, and reported while it waits for its next attempt", () => {
  const expires = NOW.add({ hours: 48 });
  const claimed = enqueueEffects([], [{ ...effect("a"), expires }], CARRIERS, run(0));
  const refused: FailedEffect = { ...FAILED, kind: "permanent", failure: "answered 400" };
  const [again] = settle(claimed, [refused], NOW);
  assertEquals([again!.failure, again!.done], ["answered 400", undefined]);
  assertEquals(selectRefused([again!]), [], "the next run tries it");
  const waiting = settle(claimed, [{ ...refused, retryAfter: 3_600_000 }], NOW);
  assertEquals(selectRefused(waiting).map(({ id }) => id), ["a"]);
  assertEquals(selectRefused(enqueueEffects(waiting, [], CARRIERS, run(60))), []);
  const passing = settle(claimed, [{ ...FAILED, retryAfter: 3_600_000 }], NOW);
  assertEquals(selectRefused(passing), [], "nobody has to do anything");
  assertEquals(settle(claimed, [FAILED], NOW.add({ hours: 25 }))[0]!.done, undefined);
});
