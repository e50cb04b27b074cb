import { assertEquals, assertStringIncludes } from "@std/assert";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";

const DOWN = `http://127.0.0.1:${closedPort()}`;

Deno.test("a site that can't be reached is unknown while the canaries fail, and down once these are not believed", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const canary = `127.0.0.1:${closedPort()}`;
  await scratch.write(
    ".monitorrc.yml",
    JSON.stringify({
      canaries: [canary],
      retry: { delays: [0.05] },
      sites: [{ name: "Good", url: site.url }, { name: "Gone", url: DOWN }],
    }),
  );
  const run = async () => {
    const { code, stdout, stderr } = await runTask("update", {
      folder: scratch.path,
      args: ["--json"],
    });
    assertEquals(code, 0, stderr);
    const { sites } = JSON.parse(stdout);
    return { states: sites.map(({ state }: { state: string }) => state), stderr };
  };
  for (let number = 1; number <= 3; number++) {
    const { states, stderr } = await run();
    assertEquals(states, ["up", "unknown"]);
    assertStringIncludes(
      stderr,
      `the monitor's own network seems to be at fault: most canaries (${canary}) can't be reached, so 1 site that can't be reached either is unknown and not down`,
    );
  }
  const validated = await runTask("validate", { folder: scratch.path });
  assertEquals([validated.code, validated.stderr], [0, ""]);
  assertStringIncludes(validated.stdout, `▲ the canaries (${canary}) can't be reached from here`);
  const { states, stderr } = await run();
  assertEquals(states, ["up", "down"]);
  assertStringIncludes(
    stderr,
    `the canaries (${canary}) can't be reached from here though sites can, so they are not believed; name places that this runner reaches in canaries:, or none with []`,
  );
});
