import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { type Clock, systemClock } from "../../lib/io/clock.ts";
import { runTask } from "../helpers/program.ts";
import { makeRepository } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";

/** The file in which an earlier version of `watch` stored the beats that it received. */
const RECEIVED = `[
  {
    "slug": "backup",
    "since": "2026-11-21T08:00:00.123Z",
    "end": {
      "kind": "fail",
      "code": 7,
      "at": "2026-11-21T09:30:00.123Z",
      "duration": 90000
    }
  },
  {
    "slug": "other",
    "since": "2026-11-21T08:00:00.123Z",
    "end": {
      "kind": "ok",
      "at": "2026-11-21T09:40:00.000Z"
    }
  }
]
`;

Deno.test("beats that an endpoint received before an update count once, with another source and with none", async () => {
  await using scratch = await makeScratch();
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": `canaries: []
sites:
  - { name: Backup, check: heartbeat, every: 1h, file: backup.txt }
  - { name: Other, check: heartbeat, every: 1h, endpoint: $BEAT }
`,
  });
  const place = join(folder, ".git", "monitor", "main");
  await Deno.mkdir(place, { recursive: true });
  const file = join(place, "beats.json");
  await Deno.writeTextFile(file, RECEIVED);
  let now = Temporal.Instant.from("2026-11-21T10:00:00Z");
  const clock: Clock = { ...systemClock, now: () => now };
  const run = (task: string, ...args: string[]) => runTask(task, { folder, clock, args });

  const dry = await run("update", "--dry-run");
  assertStringIncludes(dry.stdout, "the job ended with exit code 7");
  assertEquals(await Deno.readTextFile(file), RECEIVED);

  const first = await run("update");
  assertEquals(first.code, 0, first.stderr);
  assertStringIncludes(first.stdout, "the job ended with exit code 7) since 09:30 UTC");
  assertStringIncludes(first.stderr, "sites[1].endpoint: has no effect: it was removed; set file");
  const gone = await Deno.stat(file).catch((error) => error);
  assertEquals(gone instanceof Deno.errors.NotFound, true);

  now = now.add({ minutes: 1 });
  // The new source has no beat yet.
  const second = await run("update");
  assertStringIncludes(second.stdout, "the job ended with exit code 7");
  await Deno.writeTextFile(join(folder, "backup.txt"), "ok 2026-11-21T10:00:30Z\n");
  assertEquals((await run("update")).code, 0);
  const { sites } = JSON.parse((await run("status", "--json")).stdout);
  type Site = { name: string; state: string | null; lastBeat: string };
  assertEquals(sites.map(({ name, state, lastBeat }: Site) => [name, state, lastBeat]), [
    ["Backup", "up", "2026-11-21T10:00:30.000Z"],
    ["Other", "unknown", "2026-11-21T09:40:00.000Z"],
  ]);
});
