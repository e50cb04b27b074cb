import { assertEquals } from "@std/assert";
import { explainOutput, findTime } from "../../../lib/checks/icmp.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { observe } from "../../helpers/sites.ts";

const GNU = "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n";

Deno.test("the response time is parsed from the output of ping on each system", () => {
  const cases: [system: string, stdout: string, time?: number][] = [
    ["iputils", `${GNU}64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=11.2 ms\n`, 11.2],
    ["iputils, IPv6", "64 bytes from 2001:db8::1: icmp_seq=1 ttl=57 time=0.031 ms\n", 0.031],
    ["BusyBox", "64 bytes from 192.0.2.1: seq=0 ttl=42 time=6.912 ms\n", 6.912],
    ["macOS", "64 bytes from 192.0.2.1: icmp_seq=0 ttl=56 time=14.016 ms\n", 14.016],
    ["Windows", "Reply from 192.0.2.1: bytes=32 time=12ms TTL=57\r\n", 12],
    ["Windows, fast and German", "Antwort von 192.0.2.1: Bytes=32 Zeit<1ms TTL=128\r\n", 1],
    ["Windows, IPv6", "Reply from ::1: time<1ms\r\n", 1],
    ["Windows, a router", "Reply from 192.0.2.254: Destination host unreachable.\r\n"],
    ["Windows, a summary alone", "Packets: Sent = 1, Received = 0, Lost = 1 (100% loss),\r\n"],
  ];
  for (const [system, stdout, time] of cases) {
    assertEquals(findTime({ code: 0, stdout, stderr: "" }), time, system);
  }
  assertEquals(findTime({ code: 1, stdout: "time=11.2 ms", stderr: "" }), undefined);
});

type Parts = [kind: "network" | "configuration", reason: string];

Deno.test("a ping without an answer is a failure, and one without permission is a misconfiguration", () => {
  const cases: [code: number, stdout: string, stderr: string, ...failure: Parts][] = [
    [1, `${GNU}1 packets transmitted, 0 received`, "", "network", "no answer to the ping (h)"],
    [
      1,
      `${GNU}From 192.0.2.254 icmp_seq=1 Destination Host Unreachable\n`,
      "",
      "network",
      "host unreachable (h)",
    ],
    [2, "", "ping: connect: Network is unreachable\n", "network", "host unreachable (h)"],
    [
      68,
      "",
      "ping: sendto: No route to host\n",
      "network",
      "no answer to the ping: sendto: No route to host (h)",
    ],
    [
      2,
      "",
      "ping: socket: Operation not permitted\nmore",
      "configuration",
      "ping may not send requests on this machine: socket: Operation not permitted",
    ],
    [
      1,
      "",
      "ping: permission denied (are you root?)\n",
      "configuration",
      "ping may not send requests on this machine: permission denied (are you root?)",
    ],
    [
      1,
      "",
      "ping: unrecognized option: c\nusage: ping",
      "configuration",
      "ping can't be used on this machine: unrecognized option: c",
    ],
  ];
  for (const [code, stdout, stderr, kind, reason] of cases) {
    assertEquals(explainOutput({ code, stdout, stderr }, "h"), { kind, reason });
  }
});

Deno.test({
  name: "without the permission to run ping a site is unknown, and the reason says what to do",
  permissions: { run: ["git"], read: true, env: true, net: true },
  async fn() {
    const { failure } = await observe({ check: "icmp", url: "127.0.0.1" });
    assertEquals(failure, {
      kind: "configuration",
      reason:
        "an icmp check needs the program ping and the permission to run it: start update-with-ping, watch-with-ping or check-with-ping",
    });
  },
});

Deno.test("a host that looks like an option of ping is rejected", async () => {
  for (const url of ["-f", "-w1.example", "a b", "example.com:80"]) {
    const text = JSON.stringify({
      runner: "self-hosted",
      sites: [{ name: "A", check: "icmp", url }],
    });
    const { config, problems } = await parseConfig(text);
    assertEquals(problems.map(({ message }) => message), [
      `expected a host without a port, found ${JSON.stringify(url)}`,
    ]);
    assertEquals(config!.sites, []);
  }
  const { failure } = await observe({ check: "icmp", url: "$HOST" }, { secrets: { HOST: "-f" } });
  assertEquals(failure?.reason, "a check of type icmp needs a host");
});

Deno.test("checks that GitHub's runners block cause a warning, except on self-hosted runners", async () => {
  const sites = [
    { name: "Router", check: "icmp", url: "192.0.2.1" },
    { name: "MX", check: "smtp", url: "mx.example.com", port: 25 },
    { name: "Mail", check: "smtp", url: "mail.example.com" },
  ];
  const warnings = async (runner: string) => {
    const { problems } = await parseConfig(JSON.stringify({ runner, sites }));
    return problems.map(({ severity, path, message }) => [severity, path.join("."), message]);
  };
  assertEquals(await warnings("ubuntu-latest"), [
    [
      "warning",
      "sites.0.check",
      "GitHub's runners let no ping through: set runner: self-hosted",
    ],
    [
      "warning",
      "sites.1.port",
      "GitHub's runners can't reach port 25: set runner: self-hosted, or use 587 or 465",
    ],
  ]);
  assertEquals(await warnings("self-hosted"), []);
});
