import { assert, assertEquals } from "@std/assert";
import { bytesOf, dayGraph, graphIn, graphsProcess, makeClone } from "../helpers/kept_graphs.ts";
import { KILLED, wrapGit } from "../helpers/git_wrapper.ts";
import { killWorld, MOMENTS, type Scene } from "../helpers/kill_world.ts";
import { SEED } from "../helpers/property.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { pathsAt, status } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { seededRandom } from "../helpers/seeded_random.ts";

/** Runs of `update` that are killed before one of their writes after another. */
interface Killed extends Scene {
  /** True if they find no change. */
  isSteady?: boolean;
  /** The number of the first write before which a run is killed, if earlier ones are those of another scene. */
  first?: number;
  /** Kinds of writes that they make. */
  writes: readonly string[];
}

const PUBLISHING = ["fast-import", "push"];
const CHECKOUT = ["read-tree", "update-ref"];
const ON_GITHUB = [
  "POST issues",
  "PUT issues/N/lock",
  "POST issues/N/comments",
  "PATCH issues/N",
  "POST dispatches",
];

const KILLED_RUNS: Readonly<Record<string, Killed>> = {
  "with effects on GitHub": {
    hasGitHub: true,
    others: ["steady"],
    first: repetitions(6, 1),
    writes: [...PUBLISHING, ...ON_GITHUB, "message"],
  },
  "that commits what has waited": { writes: [...PUBLISHING, ...CHECKOUT, "message"] },
  "whose checks wait": { isSteady: true, writes: PUBLISHING },
  "without a remote": { hasRemote: false, writes: ["fast-import", ...CHECKOUT, "message"] },
};

for (const [what, { isSteady, first = 1, writes, ...scene }] of Object.entries(KILLED_RUNS)) {
  Deno.test(`a run ${what}, killed before any of its writes, loses nothing, and repeats a message only with the same id`, async () => {
    await using scratch = await makeScratch();
    await using world = await killWorld(scratch, scene);
    await world.complete("update");
    // Each request to GitHub is that of an outage, or of its end.
    const runs = scene.hasGitHub ? 2 : repetitions(1, 2);
    const killed = new Set<string>();
    const missing = () => writes.filter((write) => !killed.has(write));
    // Writes to GitHub run side by side, so that one may have another number in each run.
    for (let round = 0; round < 4 && missing().length > 0; round++) {
      for (let number = first, ends = 0; ends < runs; number++) {
        ends = 0;
        for (let run = 0; run < runs; run++) {
          if (!isSteady) world.turn();
          if (scene.hasGitHub) await world.announce();
          const write = await world.killBefore(number);
          if (write === undefined) ends++;
          else killed.add(write);
        }
      }
    }
    assertEquals(missing(), []);
    await world.assertClean();
  });
}

/** Times that a command is killed at a moment of chance, by the moments at which it is. */
const KILLS = {
  update: { kills: repetitions(2, 60), moments: repetitions(1, MOMENTS.length) },
  watch: { kills: repetitions(7, 60), moments: MOMENTS.length },
} as const;

for (const command of ["update", "watch"] as const) {
  const { kills, moments } = KILLS[command];
  Deno.test(`${kills} kills of ${command} by chance lose nothing, and repeat a message only with the same id (seed ${SEED})`, async () => {
    await using scratch = await makeScratch();
    await using world = await killWorld(scratch, { hasGitHub: true, others: ["slow", "steady"] });
    const random = seededRandom(SEED);
    await world.complete(command);
    for (let kill = 0; kill < kills; kill++) {
      world.turn();
      await world.kill({
        command,
        moment: MOMENTS[kill % moments]!,
        isGroup: Math.floor(kill / moments) % 2 === kill % 2,
        isRefused: kill % 4 === 1,
      }, random);
      await world.complete(command);
      await world.assertExact();
    }
    await world.assertClean();
  });
}

for (const branch of ["monitor-graphs", "same"]) {
  Deno.test(`a run that publishes graphs to ${branch}, killed before any of its writes, leaves nothing that the next one does not finish`, async () => {
    for (let number = 1, isKilled = true; isKilled; number++) {
      await using scratch = await makeScratch();
      const { remote, clone: folder } = await makeClone(scratch);
      const wrapped = await wrapGit(scratch.path);
      await wrapped.killBefore(number);
      const run = { folder, branch, contents: { shop: 1 } };
      const killed = await graphsProcess(run, wrapped.env);
      isKilled = killed.code === KILLED;
      assert(isKilled || killed.code === 0, killed.stderr);
      assertEquals(isKilled, number <= (branch === "same" ? 5 : 2));
      const what = `before ${(await wrapped.calls()).at(-1)}`;
      const { code, stderr } = await graphsProcess({ ...run, run: "0badcafe" });
      assertEquals([code, stderr], [0, ""], what);
      const holder = branch === "same" ? "main" : branch;
      assert((await pathsAt(remote, holder)).includes(dayGraph("shop")), what);
      assertEquals(await graphIn(folder), bytesOf(1), what);
      assertEquals(await status(folder), "", what);
      assertEquals(await git(folder, "for-each-ref", "refs/monitor"), "", what);
    }
  });
}
