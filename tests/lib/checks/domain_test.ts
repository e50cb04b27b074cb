import { assertEquals } from "@std/assert";
import type { Registration } from "../../../lib/checks/observation.ts";
import { httpServer } from "../../helpers/servers.ts";
import { type Keys, observe } from "../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-23T12:00:00Z");
const RDAP = { headers: { "content-type": "application/rdap+json" } };

/** JSON that can't be made a text. */
const NO_TEXT = { toString: 1, valueOf: 1 };

/** The answer of a registry about a domain that expires on a day. */
const expiring = (day: string, ...status: string[]) => ({
  objectClassName: "domain",
  status: ["active", ...status],
  events: [
    { eventAction: "registration", eventDate: "1995-08-14T04:00:00Z" },
    { eventAction: "expiration", eventDate: `${day}T04:00:00Z` },
  ],
});

/** A registry with given answers that counts its requests. */
function registry(answer: () => unknown) {
  const asked: string[] = [];
  const server = httpServer(({ url, headers }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    if (pathname.startsWith("/moved/")) {
      return new Response(null, { status: 302, headers: { location: pathname.slice(6) } });
    }
    const value = answer();
    if (value instanceof Response) return value;
    const isAsked = headers.get("accept")?.startsWith("application/rdap+json");
    return isAsked ? Response.json(value, RDAP) : new Response("", { status: 406 });
  });
  return { ...server, asked };
}

async function look(keys: Keys, registration?: Registration, now = NOW) {
  const context = { now, registration, detailed: true };
  const found = await observe({ check: "domain", url: "example.org", ...keys }, context);
  const { failure, degradation } = found;
  return { ...found, outcome: failure?.reason ?? degradation ?? "up", kind: failure?.kind };
}

Deno.test("domain reports when a registration expires, and when it is on hold", async () => {
  const unknown = "configuration";
  const cases: [answer: unknown, outcome: string, kind?: string, hours?: number][] = [
    [expiring("2027-08-13"), "up", undefined, 24],
    [expiring("2026-12-05"), "domain expires in 11 days (2026-12-05)", undefined, 6],
    [expiring("2026-11-20"), "domain expired 3 days ago", "answer", 1],
    [
      expiring("2027-08-13", "redemption period"),
      'the domain has the status "redemption period"',
      "answer",
      1,
    ],
    [expiring("2027-08-13", "client hold"), 'the domain has the status "client hold"', "answer", 1],
    [
      { objectClassName: "domain", events: [] },
      "the registry publishes no expiry date: add expires: with the date",
      unknown,
      24,
    ],
    [
      new Response("{}", { status: 404 }),
      "the registry does not know the domain: give it as it is registered, without www",
      unknown,
      1,
    ],
    [
      new Response("", { status: 429 }),
      "the registry answered 429 Too Many Requests",
      unknown,
      1,
    ],
    [
      new Response("", { status: 503 }),
      "the registry answered 503 Service Unavailable",
      unknown,
      1,
    ],
    [new Response("<html>"), "the registry gave an answer that is not JSON", unknown, 1],
    [[], "the registry's answer is not RDAP", unknown, 1],
    [{ errorCode: 429, title: "slow down" }, "the registry's answer is not RDAP", unknown, 1],
    [
      { objectClassName: "domain", status: [NO_TEXT], events: [null, { eventAction: NO_TEXT }] },
      "the registry publishes no expiry date: add expires: with the date",
      unknown,
      24,
    ],
  ];
  let current: unknown;
  await using server = registry(() => current);
  for (const [answer, outcome, kind, hours] of cases) {
    current = answer;
    server.asked.length = 0;
    const found = await look({ rdap: `${server.url}/moved` });
    assertEquals([found.outcome, found.kind], [outcome, kind]);
    assertEquals(found.registration!.next.since(NOW).total("hours"), hours, outcome);
    assertEquals(server.asked, ["/moved/domain/example.org", "/domain/example.org"]);
  }
});

Deno.test("domain queries again only when due, and keeps known data if the query fails", async () => {
  let answer: unknown = expiring("2026-12-20");
  await using server = registry(() => answer);
  const keys = { rdap: server.url };
  const first = await look(keys);
  const after = (hours: number) => NOW.add({ hours });
  const second = await look(keys, first.registration, after(5));
  assertEquals([second.outcome, server.asked.length], [
    "domain expires in 26 days (2026-12-20)",
    1,
  ]);
  assertEquals(second.registration, first.registration);
  answer = new Response("", { status: 429 });
  const third = await look(keys, first.registration, after(6));
  assertEquals([third.outcome, server.asked.length], ["domain expires in 26 days (2026-12-20)", 2]);
  assertEquals(third.registration?.next, after(7));
  answer = expiring("2027-12-20");
  const fourth = await look(keys, third.registration, after(7));
  assertEquals([fourth.outcome, fourth.registration?.fault], ["up", undefined]);
  // A stored registration applies to its own domain only.
  await look({ ...keys, url: "example.net" }, fourth.registration, after(8));
  assertEquals(server.asked.length, 4);
});

Deno.test("domain finds the registry in the bootstrap list, which it fetches once", async () => {
  await using server = registry(() => expiring("2027-08-13"));
  const lists: string[] = [];
  await using list = httpServer(({ url }) => {
    lists.push(url);
    const services = [[[NO_TEXT], [NO_TEXT]], [["org", "net"], [`${server.url}/gtld`]], [
      ["co.uk"],
      [`${server.url}/uk/`],
    ]];
    return Response.json({ version: "1.0", services });
  });
  const rdap = `${list.url}/rdap/dns.json`;
  for (const url of ["example.org", "shop.co.uk", "Example.NET."]) {
    assertEquals((await look({ rdap, url })).outcome, "up");
  }
  const other = await look({ rdap, url: "example.de" });
  const reason = "no RDAP server of .de is known: add rdap: or expires:";
  assertEquals([other.outcome, other.kind], [reason, "configuration"]);
  assertEquals(lists.length, 1);
  assertEquals(server.asked, [
    "/gtld/domain/example.org",
    "/uk/domain/shop.co.uk",
    "/gtld/domain/Example.NET",
  ]);
});

Deno.test("a configured expiry date needs no registry, and the warning has its own threshold", async () => {
  const cases: [keys: Keys, outcome: string][] = [
    [{ expires: "2027-03-01" }, "up"],
    [{ expires: "2026-12-05" }, "domain expires in 11 days (2026-12-05)"],
    [{ expires: "2026-12-05", expiresWithin: 7 }, "up"],
    [{ expires: "2026-11-01" }, "domain expired 22 days ago"],
  ];
  for (const [keys, outcome] of cases) assertEquals((await look(keys)).outcome, outcome);
});
