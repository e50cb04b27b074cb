import { assertEquals } from "@std/assert";
import { isReachable } from "../../../lib/checks/connection.ts";
import { closedPort } from "../../helpers/servers.ts";

Deno.test("a canary is reached where something listens, by name or address, and not elsewhere", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  assertEquals(
    await Promise.all([
      isReachable(`127.0.0.1:${port}`),
      isReachable(`localhost:${port}`),
      isReachable(`127.0.0.1:${closedPort()}`),
      isReachable(`[::1]:${closedPort()}`),
      isReachable("no-such-name.invalid:443"),
    ]),
    [true, true, false, false, false],
  );
});
