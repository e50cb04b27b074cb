import { assertEquals } from "@std/assert";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";

Deno.test("after the first run a site that never was up has 0% uptime, and one that never was down 100%", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() => new Response("ok"));
  const sites = [
    { name: "Good", url: server.url },
    { name: "Gone", url: `http://127.0.0.1:${closedPort()}` },
  ];
  const config = { canaries: [], retry: { delays: [0.2] }, sites };
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  for (const task of ["update", "response-time"]) {
    const { code, stderr } = await runTask(task, { folder: scratch.path });
    assertEquals([task, code, stderr], [task, 0, ""]);
  }
  const uptimes = ["good", "gone"].map((slug) => scratch.read(`api/${slug}/uptime.json`));
  assertEquals((await Promise.all(uptimes)).map((text) => JSON.parse(text).message), [
    "100%",
    "0%",
  ]);
  const { stdout } = await runTask("status", { folder: scratch.path, args: ["--json"] });
  const status: { sites: { windows: { day: { uptime: number } } }[] } = JSON.parse(stdout);
  assertEquals(status.sites.map(({ windows }) => windows.day.uptime), [1, 0]);
});
