import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseIncident } from "../../lib/history/incident.ts";
import { parseRecord } from "../../lib/history/record.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, configText, makeRepository } from "../helpers/repositories.ts";
import { makeRemote, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

interface Ran {
  stdout: string;
  /** Whether each incident has ended, by the slug of its site. */
  ended: Record<string, boolean>;
}

/** Runs in a folder, with the configuration given from now on. */
async function run(folder: string, config: string, args: readonly string[] = []): Promise<Ran> {
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
  const { code, stdout, stderr } = await runTask("update", { folder, args });
  assertEquals(code, 0, stderr);
  const ended: Ran["ended"] = {};
  const incidents = join(folder, "history", "incidents");
  for await (const { name } of Deno.readDir(incidents)) {
    const { slug, end } = parseIncident(await Deno.readTextFile(join(incidents, name)))!;
    ended[slug] = end !== undefined;
  }
  return { stdout, ended };
}

Deno.test("the incident of a site that was removed or renamed ends with the next run, which says so", async () => {
  await using scratch = await makeScratch();
  const down = `http://127.0.0.1:${closedPort()}`;
  const before = configText({ Shop: down, Blog: down });
  const after = configText({ Store: down, Blog: down });
  const plain = join(scratch.path, "plain");
  await Deno.mkdir(plain);
  const remote = await makeRemote(scratch.path, { "readme": "" });
  const folders = [
    plain,
    await makeRepository(join(scratch.path, "alone"), { "readme": "" }),
    await cloneRemote(remote, join(scratch.path, "clone")),
  ];
  for (const folder of folders) {
    assertEquals((await run(folder, before)).ended, { shop: false, blog: false });
    const record = () => Deno.readTextFile(join(folder, "history", "shop.yml"));
    const known = await record();
    assertMatch(known, /^incident: /m);

    const { stdout, ended } = await run(folder, after);
    assertEquals(ended, { shop: true, store: false, blog: false });
    assertStringIncludes(stdout, "shop is no longer monitored; its incident ends");
    assertEquals(await record(), known.replace(/^incident: .*\n/m, ""));
    const name = `${/^incident: (.*)$/m.exec(known)![1]!.replaceAll("'", "")}.yml`;
    const path = join(folder, "history", "incidents", name);
    const { end, error } = parseIncident(await Deno.readTextFile(path))!;
    const { lastUpdated } = parseRecord(
      await Deno.readTextFile(join(folder, "history", "blog.yml")),
    )!;
    assertEquals(end, lastUpdated);
    assertStringIncludes(error, "connection refused");

    const again = await run(folder, before, ["--json"]);
    assertEquals(JSON.parse(again.stdout).abandoned.map(({ slug }: { slug: string }) => slug), [
      "store",
    ]);
  }
});

thoroughly(
  "no incident ends where another configuration, or an error in it, may be why its site is missing",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const folder = await makeRepository(join(scratch.path, "alone"), { "readme": "" });
    const down = `http://127.0.0.1:${closedPort()}`;
    const before = configText({ Shop: down, Blog: site.url });
    assertEquals((await run(folder, before)).ended, { shop: false });
    const broken = `${configText({ Blog: site.url })}  - name: Shop\n    url: 7\n`;
    assertEquals((await run(folder, broken)).ended, { shop: false });
    await Deno.writeTextFile(join(folder, "other.yml"), configText({ Blog: site.url }));
    assertEquals((await run(folder, before, ["--config", "other.yml"])).ended, { shop: false });
    assertEquals((await run(folder, configText({ Blog: site.url }))).ended, { shop: true });
  },
);
