import { assertEquals } from "@std/assert";
import type { Impact } from "../../../lib/history/manual_incident.ts";
import { parseManualIncident } from "../../../lib/incidents/manual_incidents.ts";
import { faviconSvg } from "../../../templates/pages/files.ts";
import { filesOf, textOf } from "../../helpers/page_files.ts";
import { viewOf } from "../../helpers/page_world.ts";

/** What the overview shows of a shop in a group of two, of which people tell. */
async function shown(impact: Impact | undefined, sites = ["shop"]) {
  const view = await viewOf({
    sites: ["Shop", "API"].map((name) => ({
      keys: { name, url: "https://example.com/", group: "Public" },
      past: {},
    })),
    manual: [{ name: "Payments fail", hoursAgo: 1, sites, impact }],
  });
  const files = filesOf(view);
  const html = textOf(files, "index.html");
  const icon = textOf(files, "favicon.svg");
  return {
    headline: /<h1>.*?class="word">([^<]*)/s.exec(html)![1],
    group: /<h3>.*?class="word">([^<]*)/s.exec(html.slice(0, html.indexOf('class="sites')))?.[1],
    site: /data-slug="shop".*?class="state (\w+)/s.exec(html)![1],
    page: /class="hero (\w+)"/.exec(textOf(files, "history/shop/index.html"))![1],
    icon: (["up", "degraded", "down"] as const).find((state) => faviconSvg(state) === icon),
  };
}

Deno.test("an incident that people write raises headline, group, site and icon by its impact", async () => {
  const [degraded, major] = ["Degraded performance", "Major outage"];
  assertEquals(await shown("none"), {
    headline: "All systems operational",
    group: undefined,
    site: "up",
    page: "up",
    icon: "up",
  });
  const usual = {
    headline: degraded,
    group: degraded,
    site: "degraded",
    page: "degraded",
    icon: "degraded",
  } as const;
  assertEquals(await shown(undefined), usual);
  assertEquals(await shown("degraded"), usual);
  const partial = "Partial outage";
  assertEquals(await shown("partial"), {
    ...usual,
    headline: partial,
    group: partial,
    icon: "down",
  });
  assertEquals(await shown("major"), {
    headline: major,
    group: major,
    site: "down",
    page: "down",
    icon: "down",
  });
  assertEquals(await shown("major", []), {
    headline: major,
    group: undefined,
    site: "up",
    page: "up",
    icon: "down",
  });
});

Deno.test("the impact is stated by a label or by a line of the text, and by no label of a site", () => {
  const created = Temporal.Instant.from("2026-11-21T10:05:00Z");
  const impact = (labels: string[], body = "", slugs = ["shop"]) =>
    parseManualIncident({
      number: 12,
      title: "Payments fail",
      body,
      isOpen: true,
      author: "jo",
      isTrusted: true,
      labels: ["incident", ...labels],
      created,
      updated: created,
    }, { folder: "eu", slugs, redact: String })?.impact;
  assertEquals(impact(["impact: major"]), "major");
  assertEquals(impact(["Impact:Partial"]), "partial");
  assertEquals(impact(["none"]), "none");
  assertEquals(impact(["degraded", "impact: major"]), "major");
  assertEquals(impact([], "The bank is away.\n\n**Impact:** partial\n"), "partial");
  assertEquals(impact([], "- Impact: major, for all"), "major");
  assertEquals(impact(["none"], "Impact: major"), "none");
  assertEquals(impact([], "The impact: major customers can't pay? No."), undefined);
  assertEquals(impact(["major"], "", ["major"]), undefined);
  assertEquals(impact([]), undefined);
});
