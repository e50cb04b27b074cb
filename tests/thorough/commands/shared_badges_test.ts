import { assertEquals } from "@std/assert";
import { makeRig } from "../../helpers/rig.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";

Deno.test("badges of all sites and of groups change in the commit that changes the state of a site", async () => {
  await using scratch = await makeScratch();
  const sites = { Shop: { group: "Shops" }, Blog: {}, Pay: { group: "Stripe" } };
  const top = { groups: [{ name: "Stripe", external: true }] };
  await using rig = await makeRig(scratch, { sites, top });
  const shown = async () => {
    const badges = ["", "group/shops/", "group/other/", "group/stripe/"].map(async (folder) => {
      const text = await git(rig.remote, "show", `main:api/${folder}badge-status.svg`);
      return /<title>status: (.*)<\/title>/.exec(text)![1];
    });
    return await Promise.all(badges);
  };
  await rig.update();
  assertEquals(await shown(), ["up", "up", "up", "up"]);
  rig.turn(503, "Shop", "Pay");
  await rig.update();
  assertEquals(await shown(), ["1 of 2 down", "down", "up", "down"]);
  rig.turn(200);
  await rig.update();
  assertEquals(await shown(), ["up", "up", "up", "up"]);
  const started = await rig.run("maintenance", { args: ["start", "Shop", "--for", "1h"] });
  assertEquals([started.code, await shown()], [0, ["maintenance", "maintenance", "up", "up"]]);
  await rig.run("response-time");
  await rig.configure({ sites: { Blog: { group: "Blogs" } } });
  await rig.run("response-time");
  const files = await git(rig.remote, "ls-tree", "-r", "--name-only", "main", "api/");
  assertEquals(files.split("\n").filter((path) => /group|shop|pay/.test(path)), [
    "api/group/blogs/badge-status.svg",
  ]);
});
