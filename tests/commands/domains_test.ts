import { assertEquals, assertStringIncludes } from "@std/assert";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("a registry is asked once for several attempts and runs", async () => {
  await using scratch = await makeScratch();
  const asked: string[] = [];
  await using registry = httpServer(({ url }) => {
    asked.push(new URL(url).pathname);
    const eventDate = url.endsWith("/old.example")
      ? "2020-01-01T00:00:00Z"
      : Temporal.Now.instant().add({ hours: 240 }).toString();
    return Response.json({ events: [{ eventAction: "expiration", eventDate }] });
  });
  const site = (name: string, url: string) =>
    `  - { name: ${name}, check: domain, url: ${url}, rdap: "${registry.url}" }\n`;
  await scratch.write(
    ".monitorrc.yml",
    "canaries: []\nretry: { delays: [0.01] }\nsites:\n" +
      site("Old", "old.example") + site("Soon", "soon.example"),
  );
  for (let run = 1; run <= 2; run++) {
    const { code, stdout, stderr } = await runTask("update", { folder: scratch.path });
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, "domain expired ");
    assertStringIncludes(stdout, "domain expires in ");
  }
  assertEquals(asked.toSorted(), ["/domain/old.example", "/domain/soon.example"]);
});
