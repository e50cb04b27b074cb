import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { keptFiles } from "../../helpers/kept_files.ts";
import { commitFile, pathsAt } from "../../helpers/repositories.ts";
import { makeRig, type Rig } from "../../helpers/rig.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";
import { incidentPath } from "../../../lib/history/incident.ts";

/** Name, slug and address of the hidden site have this word. */
const HIDDEN = /zebra/i;
const HIDDEN_SITE = { public: false, group: "Zebras", tags: ["zebra"] };
const PUBLIC_SITE = { dependsOn: "Zebra Vault" };

/** Files in which a hidden site has its place: the owner's, and those that anyone reads only in the repository. */
const OWN_FILES =
  /^(?:\.git\/|\.monitorrc\.yml$|history\/(?:checks|daily|incidents)\/|history\/[^/]+\.yml$)/;

async function publish(rig: Rig): Promise<void> {
  for (const task of ["update", "response-time", "graphs", "site", "readme"]) {
    const args = task === "readme" ? ["--add-markers"] : [];
    const { code, stderr } = await rig.run(task, { args });
    assertEquals(code, 0, `${task}: ${stderr}`);
  }
}

/** The files that are published, in the folder and on the branches, and name the hidden site. */
async function findTraces({ folder, remote }: Rig): Promise<string[]> {
  await git(folder, "pull", "--quiet", "--rebase", "origin", "main");
  const graphs = await pathsAt(remote, "monitor-graphs");
  assert(graphs.includes("graphs/shop/response-time-week.png"), graphs.join());
  const files = await keptFiles(folder);
  const published = [...files].filter(([path]) => !OWN_FILES.test(path));
  assert(published.length > 60, `${published.length}`);
  return [
    ...graphs.filter((path) => HIDDEN.test(path)),
    ...published.flatMap(([path, { text }]) => HIDDEN.test(path) || HIDDEN.test(text) ? path : []),
  ];
}

Deno.test("a hidden site is checked and recorded, and no published file names it", async () => {
  await using scratch = await makeScratch();
  const maintenance = [
    { name: "Everything", cron: "0 3 * * *", duration: "1h" },
    { name: "Zebra crossing", cron: "0 4 * * *", duration: "1h", sites: ["Zebra Vault"] },
  ];
  const sites = { Shop: PUBLIC_SITE, "Zebra Vault": HIDDEN_SITE };
  const top = { maintenance, "status-website": { cname: "status.example" } };
  await using rig = await makeRig(scratch, { sites, top });
  await rig.update();
  rig.turn(503);
  await rig.update();
  const paths = await pathsAt(rig.remote, "main");
  const [id = ""] = paths.filter((path) => /incidents\/.*zebra/.test(path));
  const record = await git(rig.remote, "show", "main:history/zebra-vault.yml");
  assertMatch(record, /^public: false$/m);
  assertMatch(await git(rig.remote, "show", `main:${id}`), /^affects:\n +- shop$/m);

  await git(rig.folder, "pull", "--quiet", "--rebase", "origin", "main");
  const start = "2028-02-29T23:00:00.000Z";
  const notice = (name: string, slugs: string) =>
    `kind: manual\nname: ${name}\nsites: [${slugs}]\nstart: ${start}\nissue: 7\n`;
  await commitFile(rig.folder, incidentPath("one"), notice("Slow", "shop, zebra-vault"));
  await commitFile(rig.folder, incidentPath("two"), notice("Zebra", "zebra-vault"));
  await git(rig.folder, "push", "--quiet", "origin", "HEAD:main");
  await publish(rig);
  assertEquals(await findTraces(rig), []);
  const page = await Deno.readTextFile(
    join(rig.folder, "site/status-page/export/index.html"),
  );
  assertMatch(page, /Slow/);
});

Deno.test("what was public leaves the published files once its site is hidden, and stays out after its removal", async () => {
  await using scratch = await makeScratch();
  const keys = { ...HIDDEN_SITE, public: true };
  await using rig = await makeRig(scratch, { sites: { Shop: PUBLIC_SITE, "Zebra Vault": keys } });
  await rig.update();
  rig.turn(503);
  await publish(rig);
  assert((await findTraces(rig)).length > 20);
  // A mistake in the configuration keeps files of sites that may still be monitored, but none of hidden ones.
  const broken = { url: 7 };
  await rig.configure({
    sites: { Shop: PUBLIC_SITE, "Zebra Vault": HIDDEN_SITE, Broken: broken },
  });
  await publish(rig);
  assertEquals(await findTraces(rig), []);
  await rig.configure({ sites: { Shop: {} } });
  await publish(rig);
  assertEquals(await findTraces(rig), []);
});
