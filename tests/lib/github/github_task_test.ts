import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { githubServer } from "../../helpers/github_server.ts";
import { PROJECT, runProcess } from "../../helpers/program.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { httpServer } from "../../helpers/servers.ts";

const MAIN = join(PROJECT, "tests/helpers/github_program.ts");

Deno.test("with the permissions of its task a run opens an issue, says nothing else, and finds Upptime's token", async () => {
  await using folder = await makeScratch();
  await using server = await githubServer();
  const { HOST_PAT, ...env } = server.env;
  const { code, stdout, stderr } = await runProcess("update", {
    ...{ folder: folder.path, main: MAIN },
    env: { ...env, GITHUB_TOKEN: " ", GH_PAT: `${HOST_PAT}\n` },
  });
  assertEquals([code, stderr], [0, ""]);
  assertEquals(JSON.parse(stdout), { number: 1, tokens: [HOST_PAT] });
  assertEquals([server.asked, server.violations], [["POST /repos/acme/status/issues"], []]);
});

Deno.test("GitHub with a certificate of a private authority is reached once the authority is known", async () => {
  await using folder = await makeScratch();
  const authority = makeAuthority();
  await folder.write("authority.pem", authority.cert);
  await using server = httpServer(
    () =>
      Response.json({
        ...{ number: 7, title: "", state: "open", user: null, labels: [] },
        ...{ created_at: "2026-11-21T10:00:00Z", updated_at: "2026-11-21T10:00:00Z" },
        repository_url: "https://example.com/repos/acme/status",
      }, { status: 201 }),
    { certificate: makeCertificate({ issuer: authority }) },
  );
  const { stdout } = await runProcess("update", {
    ...{ folder: folder.path, main: MAIN },
    env: {
      ...{ GITHUB_API_URL: server.url, HOST_PAT: "ghp_x", GITHUB_REPOSITORY: "acme/status" },
      NODE_EXTRA_CA_CERTS: join(folder.path, "authority.pem"),
    },
  });
  assertEquals(JSON.parse(stdout).number, 7);
});

Deno.test("nothing of the client is loaded before GitHub is asked", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--quiet", join(PROJECT, "lib/github/open_github.ts")],
    cwd: PROJECT,
    stderr: "null",
  }).output();
  interface Module {
    specifier: string;
    dependencies?: { specifier: string; code?: { specifier: string }; isDynamic?: boolean }[];
  }
  const modules: Module[] = JSON.parse(new TextDecoder().decode(stdout)).modules;
  const dependencies = modules.flatMap(({ dependencies = [] }) => dependencies);
  const packages = dependencies.filter(({ code }) =>
    /octokit/.test(code?.specifier ?? "") &&
    code!.specifier.startsWith("npm:")
  );
  const loaders = dependencies.filter(({ isDynamic }) => isDynamic).map(({ specifier }) =>
    specifier
  );
  assert(packages.length >= 2);
  assertEquals(loaders, ["./octokit.ts"]);
  const client = modules.find(({ specifier }) => specifier.endsWith("/github/octokit.ts"))!;
  assertEquals(packages.filter((one) => !client.dependencies!.includes(one)), []);
});
