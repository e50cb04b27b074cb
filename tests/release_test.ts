import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createEmulator } from "emulate";
import { join } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import {
  checkRelease,
  listMissingSettings,
  publishRelease,
  releaseNotes,
} from "../tools/release.ts";
import { PROJECT } from "./helpers/program.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { httpServer } from "./helpers/servers.ts";

const TAG = `v${manifest.version}`;

/** Starts GitHub on loopback; the paths of requests are kept. */
async function startGitHub() {
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { secret: { login: "octo", scopes: ["repo"] } },
      github: { users: [{ login: "octo" }], repos: [{ owner: "octo", name: "monitor-action" }] },
    },
  });
  const asked: string[] = [];
  const server = httpServer(async (request) => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname.replace("/repos/octo/monitor-action", "")}`);
    const { method, headers } = request;
    const body = method === "GET" ? undefined : await request.arrayBuffer();
    const response = await fetch(`${emulator.url}${pathname}${search}`, { method, headers, body });
    const text = (await response.text()).replaceAll(emulator.url, server.url);
    return new Response(text === "" ? null : text, { status: response.status });
  });
  return {
    asked,
    place: { api: server.url, repository: "octo/monitor-action", token: "secret" },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await emulator.close();
    },
  };
}

Deno.test("notes of a release are those of its version in the changelog", async () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n- c\n\n## 1.2.0 - 2026-01-02\n\n### New\n\n- b\n\n" +
    "## 1.1.0 - 2026-01-01\n\n- a\n";
  assertEquals(releaseNotes(changelog, "1.2.0"), "### New\n\n- b");
  assertEquals(releaseNotes(changelog, "1.1.0"), "- a");
  for (const version of ["1.3.0", "1.2", "Unreleased", ""]) {
    assertThrows(() => releaseNotes(changelog, version), Error, "CHANGELOG.md has no notes");
  }
  const own = await Deno.readTextFile(join(PROJECT, ".github", "CHANGELOG.md"));
  assertEquals(releaseNotes(own, "1.41.0").startsWith("The first release."), true);
});

Deno.test("a release is a draft until all its files are uploaded, and never changes once published", async () => {
  await using scratch = await makeScratch();
  await using github = await startGitHub();
  const { place, asked } = github;
  const files = ["a.tgz", "SHA256SUMS"].map((name) => join(scratch.path, name));
  for (const file of files) await Deno.writeTextFile(file, file);

  await checkRelease(TAG, place);
  await assertRejects(() => checkRelease("v0.0.1", place), Error, "deno.json is v");
  // An attempt that ended after its draft.
  const missing = join(scratch.path, "missing");
  await assertRejects(() => publishRelease(TAG, { notes: "Notes", files: [missing] }, place));
  asked.length = 0;
  await publishRelease(TAG, { notes: "Notes", files }, place);
  assertEquals(asked.map((one) => one.replaceAll(/\d+/g, "N")), [
    "GET /releases",
    "DELETE /releases/N",
    "POST /releases",
    "POST /releases/N/assets",
    "POST /releases/N/assets",
    "PATCH /releases/N",
  ]);

  const address = `${place.api}/repos/${place.repository}/releases`;
  const headers = { Authorization: "Bearer secret" };
  const [release, ...others] = await (await fetch(address, { headers })).json();
  assertEquals(others, []);
  const { tag_name, body, draft, assets } = release;
  const names = assets.map(({ name }: { name: string }) => name);
  assertEquals({ tag_name, body, draft, names }, {
    tag_name: TAG,
    body: "Notes",
    draft: false,
    names: ["a.tgz", "SHA256SUMS"],
  });
  await assertRejects(() => checkRelease(TAG, place), Error, "is published");
  await assertRejects(
    () => publishRelease(TAG, { notes: "", files }, place),
    Error,
    "is published",
  );
});

Deno.test("settings on GitHub that a release needs and that are missing are listed", async () => {
  const made: Record<string, unknown> = {};
  await using server = httpServer(({ url }) => {
    const answer = made[new URL(url).pathname.replace("/repos/", "")];
    return answer === undefined ? new Response("", { status: 404 }) : Response.json(answer);
  });
  const place = { api: server.url, repository: "octo/own", token: "secret" };
  assertEquals((await listMissingSettings(place)).length, 5);
  made["octo/own/actions/variables/TEMPLATE_REPOSITORY"] = { value: "octo/template" };
  made["octo/own/actions/secrets/TEMPLATE_TOKEN"] = {};
  made["octo/own/immutable-releases"] = { enabled: false };
  made["octo/template"] = { is_template: true };
  made["octo/template/actions/permissions"] = { enabled: true };
  assertEquals(await listMissingSettings(place), [
    "release immutability",
    "Actions that are off, in that of the template",
  ]);
  made["octo/own/immutable-releases"] = { enabled: true };
  made["octo/template/actions/permissions"] = { enabled: false };
  assertEquals(await listMissingSettings(place), []);
});
