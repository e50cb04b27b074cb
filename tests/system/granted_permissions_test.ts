import { assertEquals } from "@std/assert";
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
