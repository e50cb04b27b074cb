import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { makeRig } from "../helpers/rig.ts";
import { runTask } from "../helpers/program.ts";
import { pendingAt } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { everything } from "../helpers/secrets_rig.ts";
import { httpServer } from "../helpers/servers.ts";

/** Sites of which each assertion fails, or is inverted. */
const ASSERTIONS = {
  Contains: { contains: "nothing" },
  Matches: { assert: ["body not matches /fresh-.*/"] },
  Json: { assert: ["json $.access_token == 5"] },
  Map: { assert: ["json $.* == 5"] },
  Degraded: { assert: [{ that: "json $.ok == no", severity: "degraded" }], degradedRuns: [1, 1] },
  Steps: { steps: [{ url: "/", contains: "nothing" }] },
  Inverted: { contains: "nothing", inverted: true },
};

Deno.test("no run, record, incident or page repeats what an assertion found, unless the site has keepBody", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() =>
    Response.json({ access_token: "fresh-token-1", ok: "fresh-token-2", count: 3 })
  );
  for (const keepBody of [false, true]) {
    const folder = join(scratch.path, String(keepBody));
    await Deno.mkdir(folder);
    const sites = Object.entries(ASSERTIONS)
      .map(([name, keys]) => [name, { url: server.url, ...keys, keepBody }]);
    const top = { history: { commitEvery: 0 } };
    await using rig = await makeRig({ ...scratch, path: folder }, {
      sites: Object.fromEntries(sites),
      top,
    });
    const run = await rig.update({ args: ["--verbose"] });
    const page = await rig.run("site");
    const shown = [
      await everything(run, rig.folder),
      JSON.stringify([...await pendingAt(rig.remote)]),
      page.stdout,
      await Deno.readTextFile(join(rig.folder, "site/status-page/export", "index.html")),
      await Deno.readTextFile(
        join(rig.folder, "site/status-page/export", "history", "contains", "index.html"),
      ),
    ].join("\n");
    assertStringIncludes(shown, 'body contains "nothing"');
    assertEquals(shown.includes("fresh-token"), keepBody, shown);
    if (!keepBody) assertStringIncludes(shown, "found a body of");
  }
});

Deno.test("check shows what assertions found on a terminal, and not in the log of a job", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() => new Response("fresh-token-1"));
  const config = { sites: [{ name: "Shop", url: server.url, contains: "nothing" }] };
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  for (const onGitHub of ["true", "false"]) {
    const { stdout, stderr } = await runTask("check", {
      folder: scratch.path,
      args: ["Shop", "--json"],
      env: { GITHUB_ACTIONS: onGitHub },
    });
    const found = onGitHub === "true" ? "found a body of 13 characters" : "fresh-token-1";
    assertStringIncludes(stdout, found);
    assert((stdout + stderr).includes("fresh-token-1") === (onGitHub === "false"));
  }
});

const KEYS = {
  ...{ GITHUB: "ghp_AbCdEf0123456789", PASS: "pässwörd-ü-é", WORDS: "correct horse battery" },
  ...{ PEM: "-----BEGIN-----\nTUlJRXZRSUJBREFOQmdrcWhraUc5\n-----END-----" },
};

function encode(text: string, charset: string): Uint8Array<ArrayBuffer> {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  switch (charset) {
    case "latin1":
      return Uint8Array.from(units);
    case "utf-16le":
      return Uint8Array.from(units.flatMap((unit) => [unit & 0xff, unit >> 8]));
    case "utf-16be":
      return Uint8Array.from(units.flatMap((unit) => [unit >> 8, unit & 0xff]));
    default:
      return new TextEncoder().encode(text);
  }
}

/** Bodies by the name of what is odd about them: how they are encoded, and as what they are sent. */
const ODD_BODIES: Readonly<
  Record<string, [charset: string, type: string, change?: (text: string) => string]>
> = {
  "UTF-16 without charset": ["utf-16le", "text/plain"],
  "UTF-16, big end first, without charset": ["utf-16be", "text/plain"],
  "UTF-16 with a byte order mark": ["utf-16le", "text/plain", (text) => `\ufeff${text}`],
  "UTF-16, big end first, with a mark": ["utf-16be", "text/plain", (text) => `\ufeff${text}`],
  "UTF-16 with a mark and a wrong charset": [
    "utf-16le",
    "text/plain; charset=utf-8",
    (text) => `\ufeff${text}`,
  ],
  "UTF-16 with charset": ["utf-16le", "text/plain; charset='UTF-16LE'"],
  "Latin-1 without charset": ["latin1", "text/plain"],
  "UTF-8 as Latin-1": ["utf-8", "text/plain; charset=iso-8859-1"],
  "NULs": ["utf-8", "text/plain", (text) => text.replaceAll(/[^]/g, "$&\0")],
  "control characters": [
    "utf-8",
    "text/plain",
    (text) => text.replaceAll(/.{3}/g, "$&\x01\u200b\u202e"),
  ],
  "colors": ["utf-8", "text/plain", (text) => text.replaceAll(/.{3}/g, "$&\x1b[1;31m")],
  "many blanks, and a cut within a secret": [
    "utf-8",
    "text/plain",
    (text) => " ".repeat(4050) + text.slice(6),
  ],
};

Deno.test("with keepBody, a body shows no secret however it is encoded", async () => {
  await using scratch = await makeScratch();
  const text = `error: ${Object.values(KEYS).join(" and ")} end`;
  await using server = httpServer(({ url }) => {
    const [charset, type, change = String] =
      ODD_BODIES[decodeURIComponent(new URL(url).pathname.slice(1))]!;
    return new Response(encode(change(text), charset), {
      status: 500,
      headers: { "content-type": type },
    });
  });
  const keys = { keepBody: true, expectedStatusCodes: [500], contains: "nothing" };
  const sites = Object.keys(ODD_BODIES)
    .map((name) => [name, { ...keys, url: `${server.url}/${encodeURIComponent(name)}` }]);
  await using hook = httpServer(() => new Response(null, { status: 503 }));
  await using rig = await makeRig(scratch, {
    sites: Object.fromEntries(sites),
    notifications: [{ type: "webhook", url: hook.url }],
    secrets: KEYS,
  });
  const run = await rig.update({ args: ["--verbose"] });
  const pending = JSON.stringify([...await pendingAt(rig.remote)]);
  const shown = (await everything(run, rig.folder) + pending).replaceAll("\\\\", "\\");
  assertStringIncludes(pending, "error: *** and ***");
  const letters = shown.replaceAll(/[^!-~]|\\u....|\\[nrt]/g, "");
  const parts = "ghp_ 0123456789 sswrd correct battery TUlJRX iUc5 BEGIN---".split(" ");
  for (const part of parts) {
    assert(!letters.includes(part), `${part}: ${shown.slice(shown.indexOf(part) - 200)}`);
  }
});
