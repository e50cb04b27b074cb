import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runProcess } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";

const CONFIG = `runner: self-hosted
canaries: []
retry: { delays: [] }
sites:
  - { name: Router, check: icmp, url: 127.0.0.1, connectTimeout: 0.5 }
`;

/** A stand-in for the system's ping that records its arguments and its environment. */
const PING = `#!/bin/sh
echo "$@" > "$0.args"
/usr/bin/env > "$0.env"
echo "PING $3 ($3) 56(84) bytes of data."
echo "64 bytes from $3: icmp_seq=1 ttl=64 time=0.043 ms"
`;

Deno.test({
  name:
    "only the tasks with ping may run it, on an address, and without the secrets of the program",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using scratch = await makeScratch();
    await scratch.write(".monitorrc.yml", CONFIG);
    await Deno.mkdir(`${scratch.path}/bin`);
    await scratch.write("bin/ping", PING);
    await Deno.chmod(`${scratch.path}/bin/ping`, 0o755);
    const start = (task: string, ...args: string[]) =>
      runProcess(task, {
        folder: scratch.path,
        args,
        env: {
          PATH: `${scratch.path}/bin:${Deno.env.get("PATH")}`,
          SECRETS_CONTEXT: '{"TOKEN":"s3cret-value"}',
        },
      });
    const usual = await start("update");
    assertEquals(usual.code, 2);
    assertStringIncludes(usual.stderr, "Router is unknown");
    assertStringIncludes(usual.stdout, "start update-with-ping");

    const pinged = await start("update-with-ping");
    assertEquals(pinged.code, 0, pinged.stderr);
    assertMatch(pinged.stdout, /Router +up/);
    assertEquals(await scratch.read("bin/ping.args"), "-c 1 127.0.0.1\n");
    const env = await scratch.read("bin/ping.env");
    assertStringIncludes(env, "LC_ALL=C");
    assertEquals(env.includes("s3cret-value"), false);

    await scratch.write("bin/ping", "#!/bin/sh\nexec /bin/sleep 60\n");
    const late = await start("check-with-ping", "Router");
    assertStringIncludes(late.stdout, "timed out after 0.5 s waiting for the answer");
  },
});

/** The system's own program; on Debian it comes with iputils-ping. */
const SYSTEM_PING = "/usr/bin/ping";
const hasPing = await Deno.stat(SYSTEM_PING).then(() => true, () => false);

Deno.test({
  name: "an icmp check measures the answer of the system's ping, over both families of addresses",
  ignore: !hasPing,
  async fn() {
    await using scratch = await makeScratch();
    await Deno.mkdir(`${scratch.path}/bin`);
    await Deno.symlink(SYSTEM_PING, `${scratch.path}/bin/ping`);
    await scratch.write(".monitorrc.yml", `${CONFIG}  - { name: Six, check: icmp, url: "::1" }\n`);
    for (const site of ["Router", "Six"]) {
      const { code, stdout, stderr } = await runProcess("check-with-ping", {
        folder: scratch.path,
        args: [site],
        env: { PATH: `${scratch.path}/bin:${Deno.env.get("PATH")}` },
      });
      assertEquals([code, stderr], [0, ""], stdout);
      assertMatch(stdout, /^ {2}total +\d+(?:\.\d+)? ms$/m);
    }
  },
});
