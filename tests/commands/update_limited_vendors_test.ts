import { assertEquals } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig } from "../helpers/alert_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import {
  type SeenRequest,
  type VendorAnswer,
  type VendorServer,
  vendorServer,
} from "../helpers/vendors/vendor_server.ts";

const TAKEN = { status: 202, body: "{}" };
/** Sites that fall at once, and requests that a vendor takes before it wants to be left alone for a minute. */
const SITES = 200;
const LIMIT = 120;
const ENOUGH: VendorAnswer = { status: 429, headers: { "Retry-After": "60" } };

/** A vendor of one event at a time. */
interface Vendor {
  keys: Omit<Notification, "url">;
  /** The site that a request is about. */
  siteIn(request: SeenRequest): string;
}

const VENDORS: Vendor[] = [
  {
    keys: { type: "pagerduty", "integration-key": "canary-integration-key" },
    siteIn: ({ json }) => json.payload.component,
  },
  {
    keys: { type: "datadog", "api-key": "canary-api-key" },
    siteIn: ({ json }) => json.tags.find((tag: string) => tag.startsWith("site:")).slice(5),
  },
  {
    keys: { type: "webhook", body: '{"site": "$SITE_NAME"}' },
    siteIn: ({ json }) => json.site.toLowerCase(),
  },
];

/** The sites of the requests that were taken, in their order. */
function taken({ siteIn }: Vendor, { seen }: VendorServer): string[] {
  // The one after the limit was refused.
  return seen.filter((_, index) => index !== LIMIT).map(siteIn);
}

Deno.test("vendors that take one event at a time get each of 200 events once, whatever their limit", async () => {
  await using scratch = await makeScratch();
  await using closing = new AsyncDisposableStack();
  const servers = await Promise.all(VENDORS.map(async () =>
    closing.use(
      await vendorServer(TAKEN, [...Array.from({ length: LIMIT }, () => TAKEN), ENOUGH]),
    )
  ));
  const notifications = VENDORS.map(({ keys }, index): Notification => ({
    ...keys,
    url: servers[index]!.url,
    on: ["down"],
    "group-notifications": true,
  }));
  const names = Array.from({ length: SITES }, (_, index) => `s${1000 + index}`);
  const sites = Object.fromEntries(names.map((name) => [name, {}]));
  await using rig = await alertRig(scratch, { sites, notifications });
  rig.turn(503);
  const first = await rig.update();
  assertEquals(first.code, 0);
  assertEquals(servers.map(({ seen }) => seen.length), VENDORS.map(() => LIMIT + 1));
  await rig.age(61);
  const second = await rig.update();
  assertEquals([second.code, second.stderr.replace(/^.*notifications\[2\]\.body.*\n/, "")], [
    0,
    "",
  ]);
  for (const [index, vendor] of VENDORS.entries()) {
    assertEquals(taken(vendor, servers[index]!), names, vendor.keys.type);
  }
});
