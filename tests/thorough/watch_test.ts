import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { output, spawnModule, spawnTask } from "../helpers/program.ts";
import { allRowsAt, remoteAndClone } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import type { WatchRun, WatchSample } from "../helpers/watch_program.ts";

const PROGRAM = join(import.meta.dirname!, "..", "helpers", "watch_program.ts");

/** A length that a variable sets: the usual one is short. */
function lengthOf(variable: string, usual: number): number {
  return Number(Deno.env.get(variable) ?? usual);
}

/** Prints a measurement. */
function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`\n${text}\n`));
}

/** The configuration of sites that are checked each 10 s. */
function configOf(url: string, names: readonly string[]): string {
  const sites = names.map((name) => `  - { name: ${name}, url: "${url}/${name}" }\n`);
  return `interval: 10\ncanaries: []\nsites:\n${sites.join("")}`;
}

Deno.test("50 sites are checked each 10 s without drift (WATCH_SECONDS, 40)", async () => {
  await using scratch = await makeScratch();
  const arrivals = new Map<string, number[]>();
  await using site = httpServer((request) => {
    const { pathname } = new URL(request.url);
    arrivals.set(pathname, [...arrivals.get(pathname) ?? [], performance.now()]);
    return new Response("ok");
  });
  const names = Array.from({ length: 50 }, (_, index) => `S${index}`);
  const { remote, folder } = await remoteAndClone(scratch, configOf(site.url, names));
  const child = spawnTask("watch", { folder });
  const seconds = lengthOf("WATCH_SECONDS", 40);
  const wanted = Math.ceil(seconds / 10);
  const has = (count: number) =>
    arrivals.size === names.length && [...arrivals.values()].every(({ length }) => length >= count);
  // Between two runs, in none of which a site is left out.
  while (!has(wanted)) await new Promise((resolve) => setTimeout(resolve, 100));
  Deno.kill(child.pid, "SIGTERM");
  const { code, stderr } = await output(child);
  assertEquals([code, stderr], [0, ""]);
  const checks = [...arrivals.values()];
  assertEquals([checks.length, new Set(checks.map(({ length }) => length)).size], [50, 1]);
  const runs = checks[0]!.length;
  const rows = await allRowsAt(remote);
  assertEquals(rows.length, 50 * runs);
  const starts = [...new Set(rows.map(({ time }) => time.epochMilliseconds))];
  assertEquals(starts.length, runs);
  // From the nearest multiple of the interval: a run that takes longer than that skips one.
  const late = starts.map((time) => (time - starts[0]! + 5_000) % 10_000 - 5_000);
  // A busy machine makes single runs late, but the earliest of several starts on its time.
  const third = Math.ceil(runs / 3);
  const drift = Math.min(...late.slice(-third)) - Math.min(...late.slice(0, third));
  const sorted = late.toSorted((one, other) => one - other);
  say(
    `${runs} runs in ${seconds} s: drift ${drift} ms, starts late by ${
      sorted[Math.floor(runs / 2)]
    } ms (median), ${sorted.at(-1)} ms at most`,
  );
  assert(Math.abs(drift) < 1_000, late.join());
});

Deno.test("the memory of watch stays the same over its runs (WATCH_RUNS, 400)", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { folder } = await remoteAndClone(scratch, configOf(site.url, ["A", "B"]));
  const argument: WatchRun = { folder, runs: lengthOf("WATCH_RUNS", 400), samples: 8 };
  const { code, stdout, stderr } = await output(
    spawnModule(PROGRAM, argument, {}, ["--v8-flags=--expose-gc"]),
  );
  assertEquals(code, 0, stderr);
  const { measured }: { measured: WatchSample[] } = JSON.parse(stdout);
  const [first, middle, last] = [measured[1]!, measured[4]!, measured.at(-1)!];
  say(
    measured.map(({ runs, heap, rss }) =>
      `${runs} runs: heap ${heap.toFixed(1)} MB, RSS ${rss.toFixed(0)} MB`
    ).join("\n"),
  );
  assert(last.heap - first.heap < 5, `${first.heap}, ${last.heap}`);
  assert(last.rss - middle.rss < 60, `${middle.rss}, ${last.rss}`);
});
