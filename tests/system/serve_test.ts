import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { listenTo } from "../helpers/printed_lines.ts";
import { spawnTask } from "../helpers/program.ts";
import { configText, makeRepository } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { NOWHERE } from "../helpers/site_rig.ts";

const REBUILT = /^Status page: .*$/m;

/** Serves the page of a folder. */
async function serving(folder: string, ...args: string[]) {
  const child = spawnTask("serve", { folder, args: ["--port", "0", ...args] });
  const printed = listenTo(child.stdout, child.stderr);
  const [, address] = await printed.waitFor(/^Serving (http:\S+\/) .*$/m);
  return {
    ...{ printed, address: address! },
    page: async (path = "") => await (await fetch(address + path)).text(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      assertEquals((await child.status).code, 0, printed.all());
    },
  };
}

Deno.test("serve rebuilds the page on every change, and keeps the last one while the configuration is broken", async () => {
  await using scratch = await makeScratch();
  const config = (name: string) => configText({ [name]: NOWHERE });
  const folder = await makeRepository(join(scratch.path, "status"), {
    ".monitorrc.yml": config("Shop"),
  });
  const write = (path: string, text: string) => Deno.writeTextFile(join(folder, path), text);
  {
    await using server = await serving(folder);
    const { printed, page } = server;
    assertStringIncludes(await page(), "Shop");
    assertStringIncludes(await page("api/shop/uptime.json"), '"schemaVersion":1');

    await write(".monitorrc.yml", config("Forum"));
    await printed.waitFor(REBUILT);
    assertStringIncludes(await page(), "Forum");

    await write(".monitorrc.yml", "sites: [");
    await printed.waitFor(/The page was not rebuilt/);
    assertStringIncludes(await page(), "Forum");

    // An editor that writes a temporary file and renames it.
    await write("new.yml", config("Market"));
    await Deno.rename(join(folder, "new.yml"), join(folder, ".monitorrc.yml"));
    await printed.waitFor(REBUILT);
    assertStringIncludes(await page(), "Market");

    await Deno.mkdir(join(folder, "assets"));
    await printed.waitFor(REBUILT);
    await write("assets/hello.txt", "hello");
    await printed.waitFor(REBUILT);
    assertEquals(await page("hello.txt"), "hello");

    await git(folder, "add", ".monitorrc.yml");
    await git(folder, "commit", "--quiet", "--message", "Watch a market");
    await printed.waitFor(REBUILT);
    const built = printed.all().match(/^Status page: /gm)!.length;
    // The program's own writes cause no rebuild; only this change does.
    await write("assets/last.txt", "last");
    await printed.waitFor(REBUILT);
    assertEquals(await page("last.txt"), "last");
    assertEquals(printed.all().match(/^Status page: /gm)!.length, built + 1);
    assertEquals(await git(folder, "status", "--porcelain"), "?? assets/");
  }
});

Deno.test("serve also serves a page under its configured path", async () => {
  await using scratch = await makeScratch();
  await scratch.write(
    ".monitorrc.yml",
    configText({ Shop: NOWHERE }, "status-website: { cname: acme.example, baseUrl: /status }\n"),
  );
  await using server = await serving(scratch.path);
  assertStringIncludes(server.printed.all(), ` and ${server.address}status/ (Ctrl-C stops it)`);
  assertEquals(await server.page("status/"), await server.page());
});
