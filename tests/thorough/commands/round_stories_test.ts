import { assert, assertEquals } from "@std/assert";
import {
  type Answer,
  type Watched,
  type WatchedWorld,
  watchWorld,
} from "../../helpers/watched_sites.ts";

const UP: Answer = { isUp: true, takes: 0.1 };
const FAILS: Answer = { isUp: false, takes: 0.1 };
const HANGS: Answer = { isUp: false, takes: 100 };

/** Watches sites that answer at once unless they are said to be in another state from one second to another. */
function watch(
  names: readonly string[],
  changes: Record<string, readonly (readonly [from: number, to: number, answer: Answer])[]>,
  { top, keys, ...world }: { top?: object; keys?: Record<string, object> } & Partial<WatchedWorld>,
): Promise<Watched> {
  return watchWorld({
    seconds: 120,
    config: {
      ...{ canaries: [], driftAlarm: false, issues: false, reopenWithin: 0, interval: 10 },
      ...{ retry: { delays: [1], jitter: 0 }, recheckDelay: 1 },
      notifications: [{ type: "webhook", url: "https://hooks.example.com/", on: ["down", "up"] }],
      ...top,
      sites: names.map((name) => ({ name, url: `http://${name}/`, ...keys?.[name] })),
    },
    answer: (name, at) => changes[name]?.find(([from, to]) => from <= at && at < to)?.[2] ?? UP,
    ...world,
  });
}

function messagesOf({ messages }: Watched): string[] {
  return messages.map(({ slug, kind }) => `${slug} ${kind}`);
}

/** The longest time between the starts of two checks of a site, in seconds. */
function longestGap({ attempts }: Watched, site: string): number {
  const starts = attempts.filter(({ name, number }) => name === site && number === 1)
    .map(({ from }) => from);
  return Math.max(...starts.slice(1).map((start, index) => start - starts[index]!));
}

function assertComplete({ rows, attempts }: Watched): void {
  assertEquals(rows.length, attempts.filter(({ number }) => number === 1).length);
  assertEquals(new Set(rows.map(({ run, slug }) => `${run} ${slug}`)).size, rows.length);
}

Deno.test("changes while the remote does not answer are notified once, and pushed later", async () => {
  const push = (at: number) => 15 < at && at < 200 ? undefined : 0;
  const changes = { shop: [[20, 55, FAILS]] } as const;
  const watched = await watch(["shop", "post"], changes, { seconds: 400, push });
  assertEquals(messagesOf(watched), ["shop down", "shop up"]);
  assertEquals(watched.incidents.map(({ slug, end }) => [slug, end]), [["shop", 60]]);
  assertEquals([longestGap(watched, "shop"), longestGap(watched, "post")].map(Math.round), [
    10,
    10,
  ]);
  assertComplete(watched);
});

Deno.test("one message is sent if the push of one round fails and that of the next succeeds", async () => {
  const push = (at: number) => 20 < at && at < 25 ? undefined : 0;
  const watched = await watch(["shop", "post"], { shop: [[20, 300, FAILS]] }, {
    seconds: 300,
    push,
  });
  assertEquals(messagesOf(watched), ["shop down"]);
  assertEquals(watched.incidents.length, 1);
  assertComplete(watched);
});

Deno.test("a channel that hangs over two rounds delays neither checks nor messages about others", async () => {
  const changes = { shop: [[15, 300, FAILS]], post: [[25, 300, FAILS]] } as const;
  const sends = (at: number) => at < 30 ? 25 : 0;
  const watched = await watch(["shop", "post"], changes, { sends });
  assertEquals(messagesOf(watched).sort(), ["post down", "shop down"]);
  const [post] = watched.messages;
  assert(post!.slug === "post" && post!.at < 34, JSON.stringify(watched.messages));
  assertEquals(Math.round(longestGap(watched, "shop")), 10);
  assertComplete(watched);
});

Deno.test("a message waits for the one before it that an earlier round is still sending", async () => {
  const changes = { shop: [[15, 35, FAILS]] } as const;
  const sends = (at: number) => at < 30 ? 45 : 0;
  const watched = await watch(["shop"], changes, { sends });
  assertEquals(messagesOf(watched), ["shop down", "shop up"]);
  const [down, up] = watched.messages;
  assert(down!.at < up!.at && up!.at < down!.at + 12, JSON.stringify(watched.messages));
});

Deno.test("a site that fails while an earlier round checks what it depends on is explained by that", async () => {
  const changes = { db: [[15, 600, HANGS]], shop: [[35, 500, FAILS]] } as const;
  const keys = { shop: { dependsOn: "db" } };
  const watched = await watch(["db", "shop", "post"], changes, { keys, seconds: 700 });
  assertEquals(messagesOf(watched), ["db down", "db up"]);
  const incidents = watched.incidents.map(({ slug, isExplained }) => `${slug} ${isExplained}`);
  assertEquals(incidents.sort(), ["db false", "shop true"]);
  assertEquals(Math.round(longestGap(watched, "post")), 10);
  assertComplete(watched);
});

Deno.test("101 sites that fail in two rounds have an incident and a message each", async () => {
  const names = Array.from({ length: 101 }, (_, index) => `s${index}`);
  const changes = Object.fromEntries(names.map((name, index) => [
    name,
    [[index < 60 ? 15 : 25, 300, index % 3 === 0 ? { isUp: false, takes: 12 } : FAILS]] as const,
  ]));
  const watched = await watch(names, changes, { seconds: 100 });
  const down = names.map((name) => `${name} down`).sort();
  assertEquals(messagesOf(watched).sort(), down);
  assertEquals(watched.incidents.map(({ slug }) => `${slug} down`).sort(), down);
  assertComplete(watched);
});

for (const [way, ahead] of [["forward", 10_000], ["back", -200_000]] as const) {
  Deno.test(`a clock that is set ${way} with open rounds changes no interval and raises no alarm`, async () => {
    const changes = { db: [[15, 500, HANGS]], shop: [[105, 145, FAILS]] } as const;
    const options = { seconds: 300, ahead: (at: number) => at < 62 || at > 200 ? 0 : ahead };
    const watched = await watch(["db", "shop", "post"], changes, options);
    assertEquals(messagesOf(watched), ["db down", "shop down", "shop up"]);
    assertEquals(["shop", "post"].map((site) => Math.round(longestGap(watched, site))), [10, 10]);
    assertComplete(watched);
  });
}
