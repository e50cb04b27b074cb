import { assert, assertEquals, assertRejects } from "@std/assert";
import { type RoundCalls, Rounds } from "../../commands/watch/rounds.ts";

/** A round that lasts until its test ends it. */
interface OpenRound {
  /** Slugs of the sites that it checks; `undefined` if it was not started. */
  own?: string;
  calls: RoundCalls;
  ended?: Promise<number>;
  end(code?: number): void;
  fail(): void;
}

function start(rounds: Rounds, due: string): OpenRound {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const round = {} as OpenRound;
  const ended = rounds.start(new Set(due), 0, (own, calls) => {
    Object.assign(round, { own: [...own].join(""), calls });
    return promise;
  });
  ended?.catch(() => {});
  return Object.assign(round, {
    ended,
    end: (code = 0) => resolve(code),
    fail: () => reject(new Error("a full disk")),
  });
}

const site = (slug: string, ...parents: string[]) => ({
  slug,
  dependsOn: parents.map((slug) => ({ slug })),
});

const up = (slug: string) => ({ site: site(slug), state: "up" as const });

function record({ calls }: OpenRound, slugs: string): void {
  calls.onRecorded({ decision: { outcomes: [...slugs].map((slug) => ({ result: up(slug) })) } });
}

/** True if something has happened by now. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  let done = false;
  work.then(() => done = true, () => done = true);
  await new Promise((resolve) => setTimeout(resolve));
  return done;
}

Deno.test("a round leaves out the sites that another one is checking", () => {
  const rounds = new Rounds();
  const first = start(rounds, "abc");
  assertEquals(first.own, "abc");
  assertEquals(start(rounds, "ab").ended, undefined);
  first.calls.onChecked(up("a"));
  assertEquals([start(rounds, "abd").own, start(rounds, "abd").ended], ["ad", undefined]);
});

Deno.test("a check that has ended frees its site once, not the next check of the site", () => {
  const rounds = new Rounds();
  const first = start(rounds, "a");
  first.calls.onChecked(up("a"));
  const second = start(rounds, "a");
  first.calls.onChecked(up("a"));
  assertEquals([second.own, start(rounds, "a").ended], ["a", undefined]);
});

Deno.test("a round that ends or fails frees all of its sites", async () => {
  const rounds = new Rounds();
  const first = start(rounds, "ab");
  first.end(1);
  assertEquals(await first.ended, 1);
  const second = start(rounds, "ab");
  second.fail();
  await assertRejects(() => second.ended!, Error, "a full disk");
  assertEquals(start(rounds, "ab").own, "ab");
});

Deno.test("a site waits until those that it depends on are recorded, if other rounds check them", async () => {
  const rounds = new Rounds();
  const first = start(rounds, "ab");
  const second = start(rounds, "cd");
  const waiting = second.calls.whenParentsAreRecorded(site("c", "a", "d"));
  first.calls.onChecked(up("a"));
  record(first, "b");
  assert(!await isDone(waiting));
  record(first, "a");
  assert(await isDone(waiting));
});

Deno.test("a site waits neither for its own round nor for later ones", async () => {
  const rounds = new Rounds();
  const first = start(rounds, "ab");
  start(rounds, "cd");
  assert(await isDone(first.calls.whenParentsAreRecorded(site("a", "b", "c", "z"))));
  assert(await isDone(first.calls.whenParentsAreRecorded({ dependsOn: [{ address: "db:1" }] })));
});

Deno.test("a round that ends or fails lets the sites that wait for it continue", async () => {
  for (const how of ["end", "fail"] as const) {
    const rounds = new Rounds();
    const first = start(rounds, "a");
    const waiting = start(rounds, "b").calls.whenParentsAreRecorded(site("b", "a"));
    assert(!await isDone(waiting));
    first[how]();
    assert(await isDone(waiting));
  }
});

Deno.test("a late record of a site is not taken for that of its next check", async () => {
  const rounds = new Rounds();
  const first = start(rounds, "a");
  first.calls.onChecked(up("a"));
  const second = start(rounds, "a");
  const third = start(rounds, "b");
  const waiting = third.calls.whenParentsAreRecorded(site("b", "a"));
  record(third, "b");
  record(first, "a");
  first.end();
  assert(!await isDone(waiting));
  assert(!await isDone(rounds.recorded()));
  record(second, "a");
  assert(await isDone(waiting));
  assert(await isDone(rounds.recorded()));
});

Deno.test("all is recorded before effects have ended", async () => {
  const rounds = new Rounds();
  const [first, second] = [start(rounds, "a"), start(rounds, "b")];
  record(first, "a");
  assert(!await isDone(rounds.recorded()));
  record(second, "b");
  assert(await isDone(rounds.recorded()));
  first.fail();
  assert(!await isDone(rounds.ended()));
  second.end();
  assert(await isDone(rounds.ended()));
});

Deno.test("a site that is left out is not waited for, whatever else its round does", async () => {
  const rounds = new Rounds();
  const first = start(rounds, "ab");
  const second = start(rounds, "c");
  const waiting = second.calls.whenParentsAreRecorded(site("c", "a"));
  record(first, "b");
  record(second, "c");
  assert(!await isDone(rounds.recorded()));
  first.calls.onLeftOut(site("a"));
  assert(await isDone(waiting));
  assert(await isDone(rounds.recorded()));
  assertEquals(start(rounds, "ab").own, "a");
});
