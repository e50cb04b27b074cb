import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { blocksOf, readDoc } from "../../helpers/docs.ts";
import { runTask } from "../../helpers/program.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import {
  makeUpptimeRepository,
  upptimeRecord as record,
} from "../../helpers/upptime_repository.ts";
import { actionReference } from "../../../lib/setup/workflow_settings.ts";
import { renderImportWorkflow } from "../../../templates/workflows/import.ts";
import {
  contents,
  importInto,
  may,
  SHOP,
  upptimeConfig as config,
} from "../../helpers/upptime_import.ts";

Deno.test("an import replaces Upptime's workflows, and changes no other file that was there", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  const uses = (name: string) =>
    `name: ${name}\njobs:\n  release:\n    steps:\n      - uses: upptime/x@v1\n`;
  const text = "# Ours since 2021\n" + config(
    { "Shop (EU)": SHOP },
    [
      "notifications:",
      "  - type: email",
      "    address: me@example.com # never came",
      "commitMessages:",
      "  statusChange: $EMOJI $SITE_NAME is $STATUS",
      "skipGenerating: [x]",
      "",
    ].join("\n"),
  );
  const theirs = {
    "history/shop-eu.yml": record({ url: SHOP, at: may(1) }),
    ".upptimerc.yml": text,
    ".github/workflows/uptime.yml": uses("Uptime CI"),
    ".github/workflows/updates.yml": uses("Updates CI"),
    ".github/workflows/graphs.yml": "name: My graphs\n",
    ".github/workflows/own.yml": "name: Own\n",
    ".github/workflows/import.yml": "name: My import\n",
    ".github/workflows/site.yaml": "name: My site\n",
    ".github/workflows/summary.yml": `${uses("Summary CI")}      - run: echo mine\n`,
    "api/old/uptime.json": "{}",
    "graphs/shop-eu/response-time.png": "PNG",
    "graphs/old/response-time.png": "PNG",
    "README.md": "# Status\n",
  };
  await makeUpptimeRepository(folder, [{ at: may(1), files: {} }, { at: may(1), files: theirs }]);
  const report = await importInto(folder);
  const files = await contents(folder);
  const touched = new Set([...report.written, ...report.removed]);
  for (const [path, before] of Object.entries(theirs)) {
    assert(files.get(path) === before || touched.has(path), path);
  }
  assertEquals(report.removed.sort(), [".github/workflows/updates.yml", ".upptimerc.yml"]);
  assertStringIncludes(files.get(".github/workflows/uptime.yml")!, "monitor-action@v");
  assertEquals(files.get(".github/workflows/graphs.yml"), "name: My graphs\n");
  assertEquals(report.workflows.occupied, [".github/workflows/graphs.yml"]);
  assertEquals(report.workflows.edited, [".github/workflows/summary.yml"]);
  const converted = files.get(".monitorrc.yml")!;
  assertStringIncludes(converted, "# Ours since 2021\nowner: acme");
  assertStringIncludes(converted, "\n#     address: me@example.com # never came\n");
  assertStringIncludes(converted, "\n  statusChange: $PREFIX $SITE_NAME is $STATUS\n");
  assertStringIncludes(converted, "\ngraphs:\n  branch: same\n");
  assert(!converted.includes("slug:"), converted);
  const { code, stdout } = await runTask("validate", { folder });
  assertEquals(code, 0, stdout);
  assertStringIncludes(stdout, ".monitorrc.yml: no problems");
});

Deno.test("--move-graphs removes the graphs from the branch, and lists the addresses that break", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  await makeUpptimeRepository(folder, [{
    at: may(1),
    files: {
      ".upptimerc.yml": config({ Shop: SHOP }),
      "history/shop.yml": record({ url: SHOP, at: may(1) }),
      "graphs/shop/response-time.png": "PNG",
      "graphs/old/response-time.png": "PNG",
    },
  }]);
  await importInto(folder);
  assertStringIncludes(await Deno.readTextFile(join(folder, ".monitorrc.yml")), "branch: same");
  const { removed, notes } = await importInto(folder, "--move-graphs");
  assert(removed.includes("graphs/old/response-time.png"));
  assertStringIncludes(notes.join("\n"), "these addresses break: graphs/old, graphs/shop");
  const files = await contents(folder);
  assert(!files.get(".monitorrc.yml")!.includes("branch: same"));
});

Deno.test("the secrets with which Upptime sent alerts become channels of the configuration", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  await makeUpptimeRepository(folder, [{
    at: may(1),
    files: { ".upptimerc.yml": config({ Shop: SHOP }) },
  }]);
  const secrets = join(scratch.path, "secrets.env");
  await Deno.writeTextFile(
    secrets,
    "NOTIFICATION_DISCORD_WEBHOOK_URL=https://discord.com/api/webhooks/1/hidden\nNOTIFICATION_ZULIP_MESSAGE_URL=https://a.example/hidden\nNOTIFICATION_ZULIP_API_EMAIL=a@a.example\nNOTIFICATION_ZULIP_API_KEY=hidden\nNOTIFICATION_LARK=true\n",
  );
  const { notes } = await importInto(folder, "--secrets", secrets);
  const converted = await Deno.readTextFile(join(folder, ".monitorrc.yml"));
  assertStringIncludes(converted, '"$NOTIFICATION_DISCORD_WEBHOOK_URL"');
  assert(!converted.includes("hidden"));
  assertStringIncludes(converted, '"$NOTIFICATION_ZULIP_MESSAGE_URL"');
  assertStringIncludes(notes.join("\n"), "Lark");
});

Deno.test("the docs show the workflow that init writes", async () => {
  const [workflow] = blocksOf(await readDoc("docs/upptime.md"), "yaml");
  assertEquals(`${workflow!.trimEnd()}\n`, renderImportWorkflow(actionReference({}, {})));
});
