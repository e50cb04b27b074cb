import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { makeAuthority, makeCertificate } from "../helpers/certificates.ts";
import { runProcess } from "../helpers/program.ts";
import { configText, makeRepository } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("update trusts the authorities that NODE_EXTRA_CA_CERTS adds, whatever libraries the environment names", async () => {
  await using scratch = await makeScratch();
  const issuer = makeAuthority("House Authority");
  await using server = httpServer(() => new Response("ok"), {
    certificate: makeCertificate({ issuer }),
  });
  const folders = [join(scratch.path, "plain"), join(scratch.path, "repository")];
  const config = configText({ House: `https://localhost:${server.port}` });
  await Deno.mkdir(folders[0]!);
  await scratch.write("plain/.monitorrc.yml", config);
  await makeRepository(folders[1]!, { ".monitorrc.yml": config });
  for (const folder of folders) {
    const states: (string | undefined)[] = [];
    for (const { cert } of [issuer, makeAuthority("Another Authority")]) {
      await scratch.write("more.pem", cert);
      const env = {
        NODE_EXTRA_CA_CERTS: join(scratch.path, "more.pem"),
        LD_LIBRARY_PATH: scratch.path,
      };
      const { code, stderr } = await runProcess("update", { folder, env });
      assertEquals([code, stderr], [0, ""]);
      const record = await Deno.readTextFile(join(folder, "history", "house.yml"));
      states.push(/^status: (\w+)/m.exec(record)?.[1]);
    }
    assertEquals(states, ["up", "down"]);
  }
});
