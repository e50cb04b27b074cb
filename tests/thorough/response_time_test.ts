import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, configText, makeRepository } from "../helpers/repositories.ts";
import { makeRemote, makeScratch } from "../helpers/scratch.ts";

const SHOP = configText({ Shop: "http://127.0.0.1:1" });

async function json<T = Record<string, unknown>>(folder: string, path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(join(folder, path)));
}

Deno.test(
  "without git the files are the result, and a branch that takes no commits is an error",
  async () => {
    await using scratch = await makeScratch();
    const folder = join(scratch.path, "plain");
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), SHOP);
    const ended = await runTask("response-time", { folder });
    assertEquals(ended.code, 0, ended.stderr);
    assertEquals((await json(folder, "api/shop/uptime.json"))["message"], "no data");

    const remote = await makeRemote(scratch.path, { ".monitorrc.yml": SHOP });
    await Deno.writeTextFile(join(remote, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n", {
      mode: 0o755,
    });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    const refused = await runTask("response-time", { folder: clone });
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, "the remote refused");
  },
);

Deno.test(
  "the summary keeps sites that another configuration or one with an error does not tell of",
  async () => {
    await using scratch = await makeScratch();
    const [shop, blog] = ["http://127.0.0.1:1", "http://127.0.0.1:2"];
    const folder = await makeRepository(scratch.path, {
      ".monitorrc.yml": configText({ Shop: shop, Blog: blog }),
      "other.yml": configText({ Shop: shop }),
    });
    const slugs = async () =>
      (await json<{ slug: string }[]>(folder, "history/summary.json")).map(({ slug }) => slug);
    const run = async (...args: string[]) => {
      const ended = await runTask("response-time", { folder, args });
      assertEquals(ended.code, 0, ended.stderr);
      return await slugs();
    };
    assertEquals(await run(), ["shop", "blog"]);
    assertEquals(await run("--config", "other.yml"), ["shop", "blog"]);
    const broken = configText({ Shop: shop, Blog: "hhttps://x" });
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), broken);
    assertEquals(await run(), ["shop", "blog"]);
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ Shop: shop }));
    assertEquals(await run(), ["shop"]);
  },
);
