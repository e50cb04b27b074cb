import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import { taskPermissions } from "../../schema/permissions.ts";
import { runProcess } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";

const VARIABLES = ["HOST_PAT", "SECRETS_CONTEXT", "GITHUB_API_URL", "GIT_SSH", "PATH", "SHELL"];
const SYSTEM = ["ca", "cpus", "hostname", "networkInterfaces", "osRelease"] as const;

Deno.test("the runtime grants each task exactly the permissions in deno.json", async () => {
  await using scratch = await makeScratch();
  await scratch.write(
    "granted.ts",
    `const granted = (descriptor) => Deno.permissions.querySync(descriptor).state === "granted";
    console.log(JSON.stringify({
      net: granted({ name: "net" }),
      host: granted({ name: "net", host: "127.0.0.1" }),
      read: granted({ name: "read" }),
      readOwn: granted({ name: "read", path: Deno.args.at(-1).slice(7) }),
      write: granted({ name: "write" }),
      writeOwn: granted({ name: "write", path: Deno.args.at(-1).slice(7) }),
      run: granted({ name: "run" }),
      git: granted({ name: "run", command: "git" }),
      ffi: granted({ name: "ffi" }),
      env: ${JSON.stringify(VARIABLES)}.filter((variable) => granted({ name: "env", variable })),
      sys: ${JSON.stringify(SYSTEM)}.filter((kind) => granted({ name: "sys", kind })),
    }));`,
  );
  for (const [task, { net, read, write, env, sys, ffi }] of taskPermissions(manifest)) {
    const allowed = Array.isArray(env) ? env : [];
    const matches = (name: string) =>
      allowed.includes(name) ||
      allowed.some((one) => one.endsWith("*") && name.startsWith(one.slice(0, -1)));
    const { stdout, stderr } = await runProcess(task, {
      folder: scratch.path,
      main: `${scratch.path}/granted.ts`,
    });
    assertEquals(stderr, "");
    assertEquals(JSON.parse(stdout), {
      net: net === true,
      host: net !== undefined,
      read: read === true,
      readOwn: read !== undefined,
      write: false,
      writeOwn: write !== undefined,
      run: false,
      git: true,
      ffi: ffi === true,
      env: VARIABLES.filter(matches),
      sys: SYSTEM.filter((kind) => Array.isArray(sys) && sys.includes(kind)),
    }, task);
  }
});

Deno.test("a task without access to the parent folder says where to run it", async () => {
  await using scratch = await makeScratch();
  const inner = join(scratch.path, "docs");
  await Deno.mkdir(inner);
  await scratch.write(".monitorrc.yml", "sites:\n  - { name: A, url: a.example }\n");
  const [reader, writer] = await Promise.all([
    runProcess("status", { folder: inner }),
    runProcess("update", { folder: inner }),
  ]);
  assertEquals([reader.code, writer.code], [2, 2]);
  assertStringIncludes(reader.stderr, "if there is one in a folder above, run the command there");
  assertEquals(
    writer.stderr,
    `error: Cannot write in ${scratch.path}: a task may write only in the folder it is run from; run it in that folder\n`,
  );
});

Deno.test("beat works with the permissions of its task, and leaves nothing but its file", async () => {
  await using scratch = await makeScratch();
  await scratch.write(
    ".monitorrc.yml",
    "sites:\n  - { name: Nightly backup, slug: backup, check: heartbeat, every: 1h, file: beats/backup.txt }\n",
  );
  const { code, stdout, stderr } = await runProcess("beat", {
    folder: scratch.path,
    args: ["backup", "4"],
  });
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^Saved "4 \S+Z" in beats\/backup\.txt\.\n$/);
  const names = await Array.fromAsync(
    Deno.readDir(join(scratch.path, "beats")),
    ({ name }) => name,
  );
  assertEquals(names, ["backup.txt"]);
});
