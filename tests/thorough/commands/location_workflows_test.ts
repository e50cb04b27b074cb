import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "../../helpers/github_server.ts";
import { runTask } from "../../helpers/program.ts";
import { cloneRemote, commitFile, pathsAt } from "../../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../../helpers/scratch.ts";

const CONFIG = ".monitorrc.yml";
const SITES = [{ name: "Shop", url: "https://shop.example" }];
const VIRGINIA = { name: "Virginia", runner: "ubuntu-latest" };
const HOME = { name: "Home", runner: ["self-hosted", "pi"] };
const ATTIC = { name: "Attic", runner: ["self-hosted", "nas"] };

/** A clone in which `configure` commits a configuration and makes its workflows. */
async function makeRepository() {
  const stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const github = stack.use(await githubServer());
  const first = JSON.stringify({ sites: SITES });
  const remote = await makeRemote(scratch.path, { [CONFIG]: first });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  return {
    remote,
    folder,
    async configure(top: object, ...args: string[]) {
      await git(folder, "pull", "--quiet");
      await commitFile(folder, CONFIG, JSON.stringify({ sites: SITES, ...top }));
      await git(folder, "push", "--quiet");
      return await runTask("update-template", { folder, args, env: github.env });
    },
    async ofLocations() {
      const paths = await pathsAt(remote, "main");
      return paths.filter((path) => path.includes("/uptime-"));
    },
    uptime: () => git(remote, "show", "main:.github/workflows/uptime.yml"),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

Deno.test("the workflow of a location comes and goes with it, unless the user has written into it", async () => {
  await using world = await makeRepository();
  const { configure } = world;
  const [home, attic] = ["home", "attic"].map((id) => `.github/workflows/uptime-${id}.yml`);
  await configure({ locations: [VIRGINIA, HOME, ATTIC] });
  assertEquals(await world.ofLocations(), [attic, home]);
  const broken = await configure({ locations: [VIRGINIA, { name: "Home" }] });
  assertEquals(broken.code, 2);
  assertEquals(await world.ofLocations(), [attic, home]);

  const gone = await configure({ locations: [VIRGINIA, ATTIC] });
  assertEquals(gone.code, 0, gone.stderr);
  assertMatch(gone.stdout, /1 file written, 1 of them removed/);
  assertEquals(await world.ofLocations(), [attic]);

  await git(world.folder, "pull", "--quiet");
  const text = await Deno.readTextFile(join(world.folder, attic!));
  const own = text.replace(/( +)# monitor: keep before\n/, "$&$1- run: ./vpn\n");
  await commitFile(world.folder, attic!, own);
  await git(world.folder, "push", "--quiet");
  const kept = await configure({ locations: [VIRGINIA] });
  assertStringIncludes(
    kept.stderr,
    `${attic} is no longer needed, and has your own lines`,
  );
  assertEquals(await world.ofLocations(), [attic]);
  const forced = await configure({}, "--force");
  assertEquals([forced.code, await world.ofLocations()], [0, []], forced.stderr);
});

Deno.test("validate prints the price of the shards that the workflows get", async () => {
  await using world = await makeRepository();
  const sites = Array.from({ length: 7_000 }, (_, index) => ({
    name: `Site ${index}`,
    url: `http://site-${index}.example`,
  }));
  const { code, stderr } = await world.configure({ sites, shards: "auto" });
  assertEquals(code, 0, stderr);
  assertStringIncludes(await world.uptime(), "shard: [1, 2]\n");
  await git(world.folder, "pull", "--quiet");
  const { stdout } = await runTask("validate", { folder: world.folder });
  assertStringIncludes(stdout, "about 26,040 minutes a month are billed");

  // 100 seconds would be too long for a new workflow, but not for one with two jobs.
  await world.configure({ sites: sites.slice(0, 6_400), shards: "auto" });
  assertStringIncludes(await world.uptime(), "shard: [1, 2]\n");
  await world.configure({ sites: sites.slice(0, 100), shards: "auto" });
  assert(!(await world.uptime()).includes("shard:"));
});
