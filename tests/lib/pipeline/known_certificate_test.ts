import { assertEquals } from "@std/assert";
import { knownCertificate } from "../../../lib/pipeline/outcomes.ts";
import { siteOf } from "../../helpers/sites.ts";
import { resultOf } from "../../helpers/outcomes.ts";

const KNOWN = Temporal.Instant.from("2027-02-03T12:00:00Z");
const NEW = Temporal.Instant.from("2028-02-03T12:00:00Z");

const CASES: readonly [
  told: string,
  keys: { url: string; check?: string },
  result: { certificate?: Temporal.Instant; responseTime?: number },
  known: Temporal.Instant | undefined,
][] = [
  ["what a run saw", { url: "https://a.example" }, { certificate: NEW, responseTime: 1 }, NEW],
  ["what a run saw that failed", { url: "https://a.example" }, { certificate: NEW }, NEW],
  ["what was known, after a failure", { url: "https://a.example" }, {}, KNOWN],
  ["what was known, of an answer that hid it", { url: "wss://a.example", check: "ws" }, {
    responseTime: 1,
  }, KNOWN],
  ["what was known, of a host", { url: "a.example", check: "ssl" }, { responseTime: 1 }, KNOWN],
  ["what was known, of a secret", { url: "$ADDRESS" }, { responseTime: 1 }, KNOWN],
  [
    "nothing, of an answer without TLS",
    { url: "http://a.example" },
    { responseTime: 1 },
    undefined,
  ],
];

Deno.test("after a run the certificate of a site is the one that was seen last, while its address has one", async () => {
  for (const [told, keys, result, known] of CASES) {
    const site = await siteOf(keys);
    const look = { ...resultOf(site, "up"), responseTime: undefined, ...result };
    const { url } = site;
    assertEquals(knownCertificate(look, { url, certificate: KNOWN }), known, told);
    const other = { url: "https://b.example", certificate: KNOWN };
    assertEquals(knownCertificate(look, other), result.certificate, `${told}, elsewhere`);
    assertEquals(knownCertificate(look, undefined), result.certificate, `${told}, at first`);
  }
});
