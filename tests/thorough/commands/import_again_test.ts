import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { makeRig } from "../../helpers/rig.ts";
import { githubServer } from "../../helpers/github_server.ts";
import { keepMidnightOut } from "../../helpers/midnight.ts";
import { type RunOptions, runTask } from "../../helpers/program.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";
import { makeUpptimeRepository, upptimeRecord } from "../../helpers/upptime_repository.ts";

const NOTHING =
  /^(?:error: |::error::)Nothing of Upptime here: .*run the import in a clone of the repository/m;

const CONFIG = "sites:\n  - name: Shop\n    url: https://shop.example.com\n";

/** Makes a repository with a configuration, one check of each of some sites, and more files. */
async function makeMonitored(
  folder: string,
  { config = CONFIG, slugs = ["shop"], files = {} }: {
    config?: string;
    slugs?: readonly string[];
    files?: Record<string, string>;
  } = {},
): Promise<void> {
  const at = "2026-05-01T10:00:00.000Z";
  const records = slugs.map((slug) => [
    `history/${slug}.yml`,
    upptimeRecord({ url: `https://${slug}.example.com`, at }),
  ]);
  await makeUpptimeRepository(folder, [
    { at: "2026-05-01T09:00:00Z", files: { ".upptimerc.yml": config, ...files } },
    { at, files: Object.fromEntries(records) },
  ]);
}

async function importInto(folder: string, options: Partial<RunOptions> = {}) {
  return await runTask("import", { folder, ...options, args: ["upptime", ...options.args ?? []] });
}

/** The state of everything that git knows of. */
async function state(folder: string): Promise<string[]> {
  return await Promise.all([
    git(folder, "status", "--porcelain"),
    git(folder, "for-each-ref", "refs/heads", "refs/remotes"),
    git(folder, "ls-files", "--stage"),
  ]);
}

Deno.test("an import of records that are all this program's writes nothing, whatever the configuration is called", async () => {
  await using scratch = await makeScratch();
  const own = "url: https://shop.example.com\nstatus: up\ncode: 200\nresponseTime: 90\n" +
    "lastUpdated: 2026-05-01T10:00:00.000Z\ngenerator: monitor-action\n";
  await makeMonitored(scratch.path, {
    config: `${CONFIG}retry: 0\n`,
    slugs: [],
    files: { "history/shop.yml": own },
  });
  const before = await state(scratch.path);
  const { code, stderr } = await importInto(scratch.path);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "Nothing of Upptime here: this program wrote all records");
  assertEquals(await state(scratch.path), before);
});

Deno.test("an import into a repository that Upptime never monitored writes nothing, also during an outage", async () => {
  await keepMidnightOut();
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using rig = await makeRig(scratch, {});
  rig.turn(503);
  assertEquals((await rig.update({ env: github.env })).code, 0);
  assertEquals((await github.issues()).length, 1);
  const before = await state(rig.folder);
  const job = { ...github.env, GITHUB_ACTIONS: "true" };
  const options = [{ args: ["--dry-run"] }, {}, { env: github.env }, { env: job }];
  for (const one of options) {
    const { code, stdout, stderr } = await importInto(rig.folder, one);
    assertEquals(code, 2);
    assertMatch(stdout + stderr, NOTHING);
    assertEquals(await state(rig.folder), before);
  }
  const outputs = await Deno.readTextFile(join(rig.folder, ".git/monitor/outputs"));
  assertEquals(outputs, "imported=false\n");
});

Deno.test("a repeated import leaves an outage alone that began after the first one", async () => {
  await keepMidnightOut();
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using rig = await makeRig(scratch, {});
  const folder = join(scratch.path, "status");
  await makeMonitored(folder);
  const run = { folder, env: github.env };
  assertEquals((await importInto(folder, run)).code, 0);
  // Its site can be turned down.
  await Deno.copyFile(join(rig.folder, ".monitorrc.yml"), join(folder, ".monitorrc.yml"));
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Move");
  rig.turn(503);
  const { code, stderr } = await rig.update(run);
  assertEquals([code, (await github.issues()).length], [0, 1], stderr);
  const before = await state(folder);
  const again = await importInto(folder, { ...run, args: ["--json"] });
  assertEquals(again.code, 0, again.stderr);
  const { written, issues } = JSON.parse(again.stdout);
  assertEquals([written, issues.open, issues.alone], [[], [], []]);
  assertEquals(await state(folder), before);
});

Deno.test("an import makes a place for the summary in a README without one", async () => {
  await using scratch = await makeScratch();
  const texts = {
    none: "# Acme\n\nOur status.\n\n## License\n",
    theirs: "# Acme\n\n<!--start: status pages-->\n<!--end: status pages-->\n",
    wrong: "# Acme\n\n<!--start: status pages-->\n",
    missing: undefined,
  };
  const folders = Object.entries(texts).map(([name, text]) =>
    [join(scratch.path, name), text] as const
  );
  for (const [folder, text] of folders) {
    await makeMonitored(folder, { files: text === undefined ? {} : { "README.md": text } });
  }
  const [none, theirs, wrong, missing] = await Promise.all(
    folders.map(async ([folder]) =>
      JSON.parse((await importInto(folder, { args: ["--json"] })).stdout)
    ),
  );
  const readme = (name: string) => Deno.readTextFile(join(scratch.path, name, "README.md"));
  const made = await readme("none");
  assertMatch(
    made,
    /^# Acme\n\nOur status\.\n\n\*\*Status:\*\* <!-- monitor: live status -->\n\n<!-- monitor: summary -->\n<!-- \/monitor: summary -->\n\n## License\n$/,
  );
  assert(none.written.includes("README.md"));
  assertStringIncludes(
    none.notes.join("\n"),
    "README.md has no place for the summary: its markers are added",
  );
  assertEquals([await readme("theirs"), await readme("wrong")], [texts.theirs, texts.wrong]);
  assert(!theirs.notes.some((note: string) => note.includes("README")));
  assertStringIncludes(wrong.notes.join("\n"), "the markers in README.md don't match");
  assertStringIncludes(missing.notes.join("\n"), "README.md is missing");
  assertStringIncludes(
    missing.notes.join("\n"),
    "<!-- monitor: summary -->\n<!-- /monitor: summary -->",
  );
  const again = await importInto(join(scratch.path, "none"));
  assertStringIncludes(again.stdout, "Nothing is left to import.");
  // Where the command readme adds them.
  const other = join(scratch.path, "theirs");
  await Deno.writeTextFile(join(other, "README.md"), texts.none);
  await git(other, "add", "--all");
  await git(other, "commit", "--quiet", "--message", "Move");
  const filled = await runTask("readme", { folder: other, args: ["--add-markers"] });
  assertEquals(filled.code, 0, filled.stderr);
  assertMatch(
    await readme("theirs"),
    /^# Acme\n\nOur status\.\n\n\*\*Status:\*\* <!-- monitor: live status -->.*\n\n<!-- monitor: summary -->\n[^]*\n<!-- \/monitor: summary -->\n\n## License\n$/,
  );
});

Deno.test("the report of an import has one line for what many sites have in common", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  const slugs = Array.from({ length: 20 }, (_, index) => `site-${index + 1}`);
  const keys = ["interval: 5", "group: EU", "timeout: 3", "maxRedirects: many", "frequency: often"];
  const entries = slugs.map((slug) =>
    [`  - name: ${slug}`, `url: https://${slug}.example.com`, ...keys].join("\n    ")
  );
  await makeMonitored(folder, { config: `sites:\n${entries.join("\n")}\n`, slugs });
  const { code, stdout, stderr } = await importInto(folder);
  assertEquals(code, 0, stderr);
  const [, part] = /\nConfiguration:\n((?: {2}.*\n)+)/.exec(stdout)!;
  const lines = part!.trimEnd().split("\n");
  assertEquals(lines.length, keys.length, part);
  for (const line of lines) {
    assertStringIncludes(
      line,
      ' of 20 sites ("site-1", "site-2", "site-3", "site-4", "site-5" and 15 more)',
    );
  }
  const { code: valid, stdout: shown } = await runTask("validate", { folder });
  assertEquals(valid, 0, shown);
  const text = await Deno.readTextFile(join(folder, ".monitorrc.yml"));
  for (const key of keys) assertEquals(text.split(`    # ${key}\n`).length, 21);
});
