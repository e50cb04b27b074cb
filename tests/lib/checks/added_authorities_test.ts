import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { runProcess } from "../../helpers/program.ts";
import { configText } from "../../helpers/repositories.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { httpServer } from "../../helpers/servers.ts";

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
