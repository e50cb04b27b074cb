import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { runProcess } from "../helpers/program.ts";
import { configText } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";

const AUTHORITY = makeAuthority();

/** Output and files of a run, without what differs from run to run. */
interface Run {
  code: number;
  stdout: string;
  stderr: string;
  statuses: Record<string, string | undefined>;
}

/** Runs `update` in a new folder on a private https site, one of an unknown authority and one that is down. */
async function update(env: Record<string, string>, { inGit = false } = {}): Promise<Run> {
  await using folder = await makeScratch();
  await using server = httpServer(() => new Response("ok"), {
    certificate: makeCertificate({ issuer: AUTHORITY }),
  });
  const port = closedPort();
  await folder.write("authority.pem", AUTHORITY.cert);
  await folder.write(
    ".monitorrc.yml",
    `retry: { delays: [] }
canaries: []
sites:
  - name: Private
    url: ${server.url}
    ca: authority.pem
  - name: Unknown
    url: ${server.url}
  - name: Closed
    url: http://127.0.0.1:${port}
`,
  );
  if (inGit) {
    await git(folder.path, "init", "--quiet");
    await git(folder.path, "add", "--all");
    await git(folder.path, "commit", "--quiet", "--message", "Begin");
  }
  const unset = ["NODE_EXTRA_CA_CERTS", "LD_LIBRARY_PATH"].filter((name) => !(name in env));
  const { code, stdout, stderr } = await runProcess("update", { folder: folder.path, env, unset });
  const plain = (text: string) =>
    text.replaceAll(folder.path, "FOLDER")
      .replace(/\b(?:[\d,]+ ms|since [\d:]+ UTC|\d{4}-\d\d-\d\d|in [0-9a-f]{7})\b/g, "…")
      .replace(/(?<=127\.0\.0\.1:)\d+/g, "…")
      .split("\n").map((line) => line.replace(/\s+/g, " ")).sort().join("\n");
  const statuses: Run["statuses"] = {};
  for (const slug of ["private", "unknown", "closed"]) {
    const record = await folder.read(join("history", `${slug}.yml`));
    statuses[slug] = /^status: (\w+)/m.exec(record)?.[1];
  }
  return { code, stdout: plain(stdout), stderr: plain(stderr), statuses };
}

Deno.test("update has the same results whatever certificates and libraries the environment names", async () => {
  await using folder = await makeScratch();
  await folder.write("more.pem", makeAuthority("Another Authority").cert);
  const extra = { NODE_EXTRA_CA_CERTS: join(folder.path, "more.pem") };
  const environment = { ...extra, LD_LIBRARY_PATH: folder.path };
  for (const inGit of [false, true]) {
    const expected = await update({}, { inGit });
    assertEquals(expected.code, 0, expected.stdout + expected.stderr);
    assertEquals(expected.statuses, { private: "up", unknown: "down", closed: "down" });
    assertEquals(await update(environment, { inGit }), expected);
  }
});

Deno.test("update trusts the authorities that NODE_EXTRA_CA_CERTS adds", async () => {
  await using folder = await makeScratch();
  const issuer = makeAuthority("House Authority");
  await using server = httpServer(() => new Response("ok"), {
    certificate: makeCertificate({ issuer }),
  });
  await folder.write(".monitorrc.yml", configText({ House: `https://localhost:${server.port}` }));
  const states: (string | undefined)[] = [];
  for (const { cert } of [issuer, makeAuthority("Another Authority")]) {
    await folder.write("more.pem", cert);
    const env = { NODE_EXTRA_CA_CERTS: join(folder.path, "more.pem") };
    await runProcess("update", { folder: folder.path, env });
    states.push(/^status: (\w+)/m.exec(await folder.read(join("history", "house.yml")))?.[1]);
  }
  assertEquals(states, ["up", "down"]);
});
