import { assert, assertEquals, assertMatch } from "@std/assert";
import { resolveRecords } from "../../../lib/checks/dns_client.ts";
import { nameServer, type Zone } from "../../helpers/name_server.ts";
import { SEED } from "../../helpers/property.ts";
import { seededRandom } from "../../helpers/seeded_random.ts";
import { closedPort } from "../../helpers/servers.ts";
import { type Keys, observe, observeBriefly, type ObserveOptions } from "../../helpers/sites.ts";
import { describeMissing } from "../../../lib/io/secrets/missing.ts";

const NAME = "shop.example.com";
const ZONE: Zone = {
  records: {
    [`A ${NAME}`]: ["203.0.113.7", "203.0.113.9"],
    [`AAAA ${NAME}`]: ["2001:db8::1"],
    [`CNAME www.example.com`]: ["Shop.Example.com"],
    [`MX ${NAME}`]: [
      { preference: 10, exchange: "mail.example.com" },
      { preference: 20, exchange: "mail2.example.com" },
    ],
    [`NS ${NAME}`]: ["ns1.example.com", "ns2.example.com"],
    [`TXT ${NAME}`]: [["v=spf1 include:_spf.example.com", " -all"], ["hello"]],
    [`SOA ${NAME}`]: [{
      mname: "ns1.example.com",
      rname: "admin.example.com",
      serial: 2026112101,
      refresh: 7200,
      retry: 900,
      expire: 1209600,
      minimum: 300,
    }],
    "A xn--bcher-kva.example": ["203.0.113.8"],
    "TXT _dmarc.example.com": [["v=DMARC1; p=reject"]],
  },
};

/** Code and reason of a check with a name server that serves a zone. */
async function asked(zone: Zone, keys: Keys, options?: ObserveOptions) {
  await using server = await nameServer(zone);
  return await observeBriefly(
    { check: "dns", url: NAME, resolver: server.resolver, ...keys },
    options,
  );
}

Deno.test("dns reports 200 and the time of the query if a record exists", async () => {
  await using server = await nameServer(ZONE);
  const { code, failure, responseTime, phases } = await observe({
    check: "dns",
    url: NAME,
    resolver: server.resolver,
  });
  assertEquals([code, failure, server.asked], [200, undefined, [`udp A ${NAME}`]]);
  assert(responseTime > 0);
  assertEquals(phases, { dns: responseTime, connect: 0, tls: 0, ttfb: 0, download: 0 });
});

Deno.test("dns finds expected records in each notation", async () => {
  const cases: Keys[] = [
    { expect: "203.0.113.9" },
    { expect: ["203.0.113.9", "203.0.113.7"] },
    { record: "AAAA", expect: "2001:0DB8:0:0:0:0:0:1" },
    { url: "www.example.com", record: "CNAME", expect: "shop.example.com." },
    { record: "MX", expect: "mail.example.com" },
    { record: "MX", expect: ["20 MAIL2.example.com.", "10 mail.example.com"] },
    { record: "NS", expect: ["NS1.example.com", "ns2.example.com."] },
    { record: "TXT", expect: "v=spf1 include:_spf.example.com -all" },
    { record: "SOA", expect: "ns1.example.com" },
    { record: "SOA", expect: "ns1.example.com. admin.example.com. 2026112101" },
    { url: `dns://${NAME}`, expect: "$ADDRESS" },
    { url: `${NAME}.` },
    { url: "bücher.example", expect: "203.0.113.8" },
    { url: "_dmarc.example.com", record: "TXT" },
    { url: "$NAME" },
  ];
  const secrets = { ADDRESS: "203.0.113.7", NAME };
  for (const keys of cases) {
    assertEquals(await asked(ZONE, keys, { secrets }), [200], JSON.stringify(keys));
  }
});

Deno.test("dns reports expected and found records", async () => {
  const both = "203.0.113.7, 203.0.113.9";
  const cases: [keys: Keys, reason: string][] = [
    [{ expect: "203.0.113.8" }, `expected 203.0.113.8, found ${both}`],
    [{ expect: ["203.0.113.7", "203.0.113.8"] }, `expected 203.0.113.8, found ${both}`],
    [
      { record: "MX", expect: "30 mail.example.com" },
      "expected 30 mail.example.com, found 10 mail.example.com, 20 mail2.example.com",
    ],
    [
      { record: "TXT", expect: "V=SPF1" },
      "expected V=SPF1, found 2 texts of 36 and 5 characters",
    ],
    [
      { record: "TXT", expect: "V=SPF1", keepBody: true },
      "expected V=SPF1, found v=spf1 include:_spf.example.com -all, hello",
    ],
    [
      { record: "SOA", expect: "ns2.example.com" },
      "expected ns2.example.com, found ns1.example.com admin.example.com 2026112101 7200 900 1209600 300",
    ],
  ];
  for (const [keys, reason] of cases) assertEquals(await asked(ZONE, keys), [0, reason]);
});

Deno.test("dns distinguishes a missing name, missing records and a broken server", async () => {
  const cases: [zone: Zone, keys: Keys, kind: string, reason: string][] = [
    [ZONE, { url: "none.example.com" }, "answer", "none.example.com does not exist (NXDOMAIN)"],
    [ZONE, { url: "www.example.com" }, "answer", "www.example.com has no A record"],
    [
      { code: 2 },
      {},
      "network",
      `the name server could not find an answer for ${NAME} (SERVFAIL)`,
    ],
    [{ code: 5 }, {}, "answer", `the name server refuses to answer for ${NAME} (REFUSED)`],
    [{ code: 4 }, {}, "answer", "the name server answered NOTIMP"],
  ];
  for (const [zone, keys, kind, reason] of cases) {
    await using server = await nameServer(zone);
    const { code, failure } = await observe({
      check: "dns",
      url: NAME,
      resolver: server.resolver,
      ...keys,
    });
    assertEquals([code, failure], [0, { kind, reason }]);
  }
});

Deno.test("dns waits for a server that does not answer no longer than connectTimeout", async () => {
  await using server = await nameServer({ forge: () => [] });
  const keys = { check: "dns", url: NAME, connectTimeout: 1 };
  assertEquals(await observe({ ...keys, resolver: server.resolver }).then((one) => one.failure), {
    kind: "network",
    reason: `timed out after 1 s waiting for the name server ${server.resolver}`,
  });
  const resolver = `127.0.0.1:${closedPort()}`;
  const [code] = await observeBriefly({ ...keys, resolver });
  assertEquals(code, 0);
  assertEquals(await observeBriefly({ ...keys, resolver: "$R" }, { secrets: { R: resolver } }), [
    0,
    "timed out after 1 s waiting for the name server",
  ]);
});

Deno.test("dns ignores replies to other questions", async () => {
  const random = seededRandom(SEED);
  const forged: Zone = {
    ...ZONE,
    forge({ id, questions }, answer) {
      const otherId = answer.slice();
      otherId[0] = (id! >> 8) ^ 1;
      const otherName = new TextDecoder("latin1").decode(answer).replace("shop", "shot");
      assertEquals(questions!.length, 1);
      return [
        otherId,
        Uint8Array.from(otherName, (char) => char.charCodeAt(0)),
        new Uint8Array(),
        answer.slice(0, 20),
        Uint8Array.from({ length: 600 }, () => Math.floor(random() * 256)),
        answer,
      ];
    },
  };
  assertEquals(await asked(forged, { expect: "203.0.113.7" }), [200]);
  const onlyForged: Zone = { ...forged, forge: (...given) => forged.forge!(...given).slice(0, -1) };
  const [code, reason] = await asked(onlyForged, { connectTimeout: 1 });
  assertEquals([code, reason?.slice(0, 21)], [0, "timed out after 1 s w"]);
});

Deno.test("dns repeats a truncated query over TCP", async () => {
  await using server = await nameServer({ ...ZONE, truncated: true });
  const keys = { check: "dns", url: NAME, resolver: server.resolver, expect: "203.0.113.7" };
  assertEquals(await observeBriefly(keys), [200]);
  assertEquals(server.asked, [`udp A ${NAME}`, `tcp A ${NAME}`]);
});

Deno.test("dns queries the next name server if one does not answer, or the only one again", async () => {
  let times = 0;
  const forgetful: Zone = { ...ZONE, forge: (_query, answer) => ++times === 1 ? [] : [answer] };
  assertEquals(await asked(forgetful, { connectTimeout: 8 }), [200]);
  assertEquals(times, 2);

  await using deaf = await nameServer({ forge: () => [] });
  await using good = await nameServer(ZONE);
  const servers = [deaf, good].map(({ resolver }) => ({
    address: "127.0.0.1",
    port: Number(resolver.split(":")[1]),
  }));
  const { server, ...reply } = await resolveRecords(
    { name: NAME, type: "A" },
    servers,
    AbortSignal.timeout(60_000),
  );
  assertEquals([reply.code, server], ["NOERROR", servers[1]]);
});

Deno.test("dns ends when the run is out of time", async () => {
  await using deaf = await nameServer({ forge: () => [] });
  const run = new AbortController();
  const keys = { check: "dns", url: NAME, resolver: deaf.resolver };
  const observing = observeBriefly(keys, { signal: run.signal });
  run.abort(new Error("the run is out of time"));
  const [code, reason] = await observing;
  assertEquals([code, reason?.startsWith("the run is out of time")], [0, true]);
});

Deno.test("dns shows expected secrets by name", async () => {
  const keys = { record: "A", expect: ["203.0.113.99", "$PIN"] };
  const secrets = { PIN: "192.0.2.1" };
  const [, reason] = await asked(ZONE, keys, { secrets });
  assertMatch(reason!, /^expected 203\.0\.113\.99, \$PIN, found /);
});

Deno.test("dns shows no secret name or record", async () => {
  const secrets = { NAME: "none.example.com", FOUND: "www.example.com" };
  assertEquals(await asked(ZONE, { url: "$NAME" }, { secrets }), [
    0,
    "the name does not exist (NXDOMAIN)",
  ]);
  assertEquals(await asked(ZONE, { url: "$FOUND" }, { secrets }), [0, "the name has no A record"]);
  const keys = { url: "$THERE", record: "MX", expect: "mail.example.org" };
  assertEquals(await asked(ZONE, keys, { secrets: { THERE: NAME } }), [
    0,
    "expected mail.example.org, found something else",
  ]);
});

Deno.test("missing keys and secrets of dns are a misconfiguration", async () => {
  const cases: [keys: Keys, reason: string][] = [
    [{ url: "$A", resolver: "$B", expect: "$C" }, describeMissing(["A", "B", "C"])],
    [{ url: "$BLANK" }, "a dns check needs a name in its url"],
    [{ resolver: "$BLANK" }, "resolver is not a host"],
  ];
  for (const [keys, reason] of cases) {
    const { code, failure } = await observe({ check: "dns", url: NAME, ...keys }, {
      secrets: { BLANK: "" },
    });
    assertEquals([code, failure], [0, { kind: "configuration", reason }]);
  }
});

Deno.test("dns details contain the records and their server", async () => {
  await using server = await nameServer(ZONE);
  const keys = { check: "dns", url: NAME, resolver: server.resolver, record: "MX" };
  const { details } = await observe(keys, { detailed: true });
  assertEquals(details, {
    hops: [{ method: "MX", url: NAME, words: "NOERROR" }],
    resolver: server.resolver,
    answers: ["10 mail.example.com", "20 mail2.example.com"],
  });
});
