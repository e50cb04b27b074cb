import { assertEquals } from "@std/assert";
import { reaches } from "../../../lib/checks/canary.ts";
import { closedPort } from "../../helpers/servers.ts";

Deno.test("a canary is reached where something listens, by name or address, and not elsewhere", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  assertEquals(
    await Promise.all([
      reaches(`127.0.0.1:${port}`),
      reaches(`localhost:${port}`),
      reaches(`127.0.0.1:${closedPort()}`),
      reaches(`[::1]:${closedPort()}`),
      reaches("no-such-name.invalid:443"),
    ]),
    [true, true, false, false, false],
  );
});
