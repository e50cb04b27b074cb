import type { Site } from "../config/config.ts";
import type { SiteState } from "../evaluation/results.ts";
import { formatExpiry } from "../checks/certificates.ts";
import { DAY, formatDate } from "../time.ts";
import type { Notice } from "./notices.ts";

const PREFIX = "certificate/";

/**
 * Makes a notice for each certificate that expires within a number of days of its site's `warnAt`, the smallest of
 * them, and one when it has been renewed. `notified` are the keys of the notices that channels were notified of.
 */
export function planCertificateNotices({ outcomes, sites, notified, now }: {
  outcomes: readonly { result: Pick<SiteState, "site" | "certificate"> }[];
  sites: readonly Site[];
  notified: readonly string[];
  now: Temporal.Instant;
}): Notice[] {
  const expiries = new Map(outcomes.map(({ result: { site, certificate } }) => [
    site.slug,
    certificate?.epochMilliseconds,
  ]));
  return sites.filter(({ paused }) => !paused).flatMap((site): Notice[] => {
    const { name, slug, warnAt } = site;
    const known = notified.filter((key) => key.startsWith(`${PREFIX}${slug}/`));
    const expiry = expiries.get(slug);
    // Nothing is known of it in this run: what was said of it remains said.
    if (expiry === undefined) return known.map((key) => ({ key, title: "", text: "" }));
    const left = expiry - now.epochMilliseconds;
    const step = Math.min(...warnAt.filter((days) => left <= days * DAY));
    const date = formatDate(expiry);
    const about = { topic: "certificate", site: slug } as const;
    if (step !== Infinity) {
      const key = `${PREFIX}${slug}/${date}/${step}`;
      return [{ key, ...about, title: `${name}: ${formatExpiry(left)}`, text: `on ${date}` }];
    }
    if (known.length === 0) return [];
    const title = `${name} has a new certificate`;
    return [{ key: `renewed/${slug}`, ...about, endOf: known[0]!, title, text: `until ${date}` }];
  });
}
