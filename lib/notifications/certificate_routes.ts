import type { Notification } from "../config/channels/keys.ts";
import { findKind } from "../config/channels/kinds.ts";
import { isPlain } from "../config/checks/grpc.ts";
import type { Config, Site } from "../config/config.ts";
import { isUsable, type Problem } from "../io/problem.ts";
import { joinFirst } from "../text/words.ts";
import { findSeverity, type Subscriber } from "./channel_list.ts";
import { channelName } from "./routes.ts";

const MOST_NAMES = 5;

/** Sites whose certificates expire without a message, and the channel that could be notified of them. */
export interface UnwarnedSites {
  sites: string[];
  channel: string;
  /** Line of its `on`; absent while the configuration has errors, or if secrets alone set it up. */
  line?: number;
  /** Set if its severity excludes warnings, and with them certificates. */
  isCritical?: true;
}

/**
 * Finds monitored sites with a certificate that have channels, none of which is notified before it expires. `text`
 * is the configuration, and `problems` are those in it.
 */
export async function findUnwarned(
  channels: readonly Subscriber[],
  { config, problems, text }: { config: Config; problems: readonly Problem[]; text: string },
): Promise<UnwarnedSites[]> {
  const found = config.sites.flatMap((site) => {
    if (site.paused || site.warnAt.length === 0 || !hasCertificate(site)) return [];
    const own = channels.filter(({ wants, topics }) =>
      wants(site.slug).length + topics(site.slug).length > 0
    );
    if (own.some(({ topics }) => topics(site.slug).includes("certificate"))) return [];
    const [first] = own.toSorted((one, other) => rank(one) - rank(other));
    return first === undefined ? [] : [{ site: site.name, channel: first.notification }];
  });
  if (found.length === 0) return [];
  // Loaded only if there is something to add.
  const { locate } = await import("../config/yaml/positions.ts");
  return [...Map.groupBy(found, ({ channel }) => channel)].map(([channel, own]) => {
    const paths = isUsable(problems) ? findPath(channel, config) : [];
    const places = paths.map((path): Problem => ({ severity: "notice", path, message: "" }));
    const line = locate(places, text)[0]?.line;
    return {
      sites: own.map(({ site }) => site),
      channel: channelName(channel),
      ...line === undefined ? {} : { line },
      ...isCritical(channel) ? { isCritical: true } : {},
    };
  });
}

export function describeUnwarned(
  { sites, channel, line, isCritical }: UnwarnedSites,
): { says: string; cure: string } {
  const whose = sites.length === 1 ? "certificate" : "certificates";
  const place = line === undefined ? "" : ` (line ${line})`;
  return {
    says: `no channel is notified before the ${whose} of ${joinFirst(sites, MOST_NAMES)} expire${
      sites.length === 1 ? "s" : ""
    }`,
    cure: isCritical
      ? `add a channel without severity: critical, which excludes them from ${channel}${place}`
      : `add certificate to on: of ${channel}${place}`,
  };
}

/** True if a site's check sees a certificate; not known of one whose address is a secret. */
function hasCertificate({ check, url, target }: Site): boolean {
  if (check === "grpc") return !isPlain(url);
  if (target.check === "smtp" || target.check === "imap") return target.tls !== "none";
  return check === "ssl" || /^(?:https|wss):/i.test(url.trim());
}

/** Channels that people read come before those that page somebody, and before those that exclude warnings. */
function rank({ notification }: Subscriber): number {
  if (isCritical(notification)) return 2;
  return notification.type === "twilio" || findKind(notification).sendsSingly ? 1 : 0;
}

function isCritical(notification: Notification): boolean {
  return findSeverity(notification) === "critical";
}

/** The path of a channel's `on` in a configuration without errors, which has all channels; none if secrets alone set it up. */
function findPath(channel: Notification, { notifications, sites }: Config): Problem["path"][] {
  const places = [
    ...notifications.map((one, index) => ({ one, path: ["notifications", index, "on"] })),
    ...sites.flatMap(({ notifications }, site) =>
      notifications.map((one, index) => ({
        one,
        path: ["sites", site, "notifications", index, "on"],
      }))
    ),
  ];
  return places.filter(({ one }) => one === channel).map(({ path }) => path).slice(0, 1);
}
