import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask, spawnTask } from "../helpers/program.ts";
import { configText, makeRepository } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { listenTo } from "../helpers/spoken_lines.ts";

const NOWHERE = "http://127.0.0.1:1";
const REBUILT = /^Status page: .*$/m;

/** Serves the page of a folder. */
async function serving(folder: string, ...args: string[]) {
  const child = spawnTask("serve", { folder, args: ["--port", "0", ...args] });
  const spoken = listenTo(child.stdout, child.stderr);
  const [, address] = await spoken.heard(/^Serving it at (http:\S+\/)(?:\.|,).*$/m);
  return {
    ...{ spoken, address: address! },
    page: async (path = "") => await (await fetch(address + path)).text(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      assertEquals((await child.status).code, 0, spoken.all());
    },
  };
}

Deno.test("serve builds and serves the page, and builds it anew when configuration, history, owner's files or commits change; with a broken configuration the last page stays", async () => {
  await using scratch = await makeScratch();
  const config = (name: string) => configText({ [name]: NOWHERE });
  const folder = await makeRepository(join(scratch.path, "status"), {
    ".monitorrc.yml": config("Shop"),
  });
  const write = (path: string, text: string) => Deno.writeTextFile(join(folder, path), text);
  {
    await using server = await serving(folder);
    const { spoken, page } = server;
    assertStringIncludes(await page(), "Shop");
    assertStringIncludes(await page("api/shop/uptime.json"), '"schemaVersion":1');

    await write(".monitorrc.yml", config("Forum"));
    await spoken.heard(REBUILT);
    assertStringIncludes(await page(), "Forum");

    await write(".monitorrc.yml", "sites: [");
    await spoken.heard(/The page stays as it was/);
    assertStringIncludes(await page(), "Forum");

    // An editor that writes beside and renames.
    await write("new.yml", config("Market"));
    await Deno.rename(join(folder, "new.yml"), join(folder, ".monitorrc.yml"));
    await spoken.heard(REBUILT);
    assertStringIncludes(await page(), "Market");

    await Deno.mkdir(join(folder, "assets"));
    await spoken.heard(REBUILT);
    await write("assets/hello.txt", "hello");
    await spoken.heard(REBUILT);
    assertEquals(await page("hello.txt"), "hello");

    await git(folder, "add", ".monitorrc.yml");
    await git(folder, "commit", "--quiet", "--message", "Watch a market");
    await spoken.heard(REBUILT);
    const built = spoken.all().match(/^Status page: /gm)!.length;
    // What it writes itself is no reason to build again: nothing but this change is.
    await write("assets/last.txt", "last");
    await spoken.heard(REBUILT);
    assertEquals(await page("last.txt"), "last");
    assertEquals(spoken.all().match(/^Status page: /gm)!.length, built + 1);
    assertEquals(await git(folder, "status", "--porcelain"), "?? assets/");
  }
});

Deno.test("a page with a path of its own is served there as well", async () => {
  await using scratch = await makeScratch();
  await scratch.write(
    ".monitorrc.yml",
    configText({ Shop: NOWHERE }, "status-website: { cname: acme.example, baseUrl: /status }\n"),
  );
  await using server = await serving(scratch.path);
  assertStringIncludes(server.spoken.all(), `, and under ${server.address}status/. Ctrl-C`);
  assertEquals(await server.page("status/"), await server.page());
});

Deno.test("serve refuses what it cannot do, and ends where the configuration cannot be used", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", configText({ Shop: NOWHERE }));
  const serve = (...args: string[]) => runTask("serve", { folder: scratch.path, args });
  for (const port of ["65536", "-1", "http"]) {
    const { code, stderr } = await serve(`--port=${port}`);
    assertEquals([code, stderr.includes("give a number from 0 to 65535")], [2, true], stderr);
  }
  assertEquals((await serve("--dry-run")).code, 2);
  assertEquals((await runTask("site", { folder: scratch.path, args: ["--port=1"] })).code, 2);
  await using taken = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(),
  );
  const busy = await serve(`--port=${taken.addr.port}`);
  assertEquals(busy.code, 1);
  assertStringIncludes(busy.stderr, "another program has it; choose another with --port");
  await scratch.write(".monitorrc.yml", "sites: [");
  assertEquals((await serve("--port=0")).code, 2);
});
