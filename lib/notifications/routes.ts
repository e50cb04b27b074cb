import { type Notification, USUAL_EVENTS } from "../config/channels/keys.ts";
import { takesReports } from "../config/channels/kinds.ts";
import { joinNames } from "../text/words.ts";
import { DAY, HOUR, MINUTE } from "../time.ts";
import type { Subscriber } from "./channel_list.ts";
import { type EventKind, isOutage, type NoticeTopic } from "./message.ts";

export interface Route {
  /** Type and destination, without secrets. */
  channel: string;
  events: readonly (EventKind | NoticeTopic)[];
  /** Names of the sites, or `all`. */
  sites: "all" | readonly string[];
  note?: string;
  /** Delay of outages, such as `15m`; absent if they are sent at once. */
  after?: string;
  /** Quiet hours in words. */
  quiet?: string;
  /** Reports in words. */
  report?: string;
}

interface NamedSite {
  slug: string;
  name: string;
}

export const LACKS_ON = `has no on:, so it is notified of ${joinNames(USUAL_EVENTS)}`;

/** Lists the events of each channel, grouped by sites with the same events. */
export function listRoutes(channels: readonly Subscriber[], sites: readonly NamedSite[]): Route[] {
  return channels.flatMap((subscriber): Route[] => {
    const { notification, lacksOn } = subscriber;
    const wants = (slug: string) => listEvents(subscriber, slug);
    const channel = channelName(notification);
    const quiet = describeQuiet(subscriber);
    const report = describeReports(notification);
    const notified = sites.filter(({ slug }) => wants(slug).length > 0);
    const reports = report === undefined ? {} : { report };
    if (notified.length === 0 && sites.length > 0) {
      return [{ channel, events: [], sites: "all", ...reports }];
    }
    const groups = Map.groupBy(
      notified,
      ({ slug }) => `${wants(slug).join()} ${describeDelay(subscriber, slug)}`,
    );
    return [...groups.values()].map((own) => {
      const [{ slug }] = own as [NamedSite];
      const after = describeDelay(subscriber, slug);
      return {
        channel,
        events: wants(slug),
        sites: own.length === sites.length ? "all" : own.map(({ name }) => name),
        ...own.some(({ slug }) => lacksOn(slug)) ? { note: LACKS_ON } : {},
        ...after === "" ? {} : { after },
        ...quiet === undefined ? {} : { quiet },
        ...reports,
      };
    });
  });
}

function listEvents({ wants, topics }: Subscriber, slug: string): (EventKind | NoticeTopic)[] {
  return [...wants(slug), ...topics(slug)];
}

/** Sites that are notified of alike, and the events of each channel in words, in its order. */
export interface RouteRow {
  sites: readonly string[];
  events: readonly string[];
}

/** Groups sites for which every channel gets the same events at the same time. */
export function tabulateRoutes(
  channels: readonly Subscriber[],
  sites: readonly NamedSite[],
): RouteRow[] {
  const rows = sites.map(({ slug, name }) => ({
    name,
    events: channels.map((channel) => {
      const after = describeDelay(channel, slug);
      const wanted = listEvents(channel, slug).join(", ");
      return after === "" ? wanted : `${wanted} after ${after}`;
    }),
  }));
  const groups = Map.groupBy(rows, ({ events }) => JSON.stringify(events));
  return [...groups.values()].map((own) => ({
    sites: own.map(({ name }) => name),
    events: own[0]!.events,
  }));
}

/** Names of monitored sites of whose outages no channel is notified; none if there are no channels. */
export function findUnnotified(
  channels: readonly Subscriber[],
  sites: readonly (NamedSite & { paused: boolean })[],
): string[] {
  if (channels.length === 0) return [];
  return sites.filter(({ slug, paused }) =>
    !paused && !channels.some(({ wants }) => wants(slug).some(isOutage))
  ).map(({ name }) => name);
}

/** The delay of a site's outages; empty if there is none. */
function describeDelay({ wants, delay }: Subscriber, slug: string): string {
  const delays = wants(slug).filter(isOutage).map((kind) => ({ kind, length: delay(slug, kind) }));
  if (delays.every(({ length }) => length === 0)) return "";
  const [{ length }] = delays as [typeof delays[number]];
  return delays.every((one) => one.length === length)
    ? formatDelay(length)
    : delays.map(({ kind, length }) => `${formatDelay(length)} (${kind})`).join(", ");
}

/** As it may be written in the configuration. */
function formatDelay(length: number): string {
  const [unit, size] = ([["d", DAY], ["h", HOUR], ["m", MINUTE]] as const)
    .find(([, size]) => length % size === 0) ?? ["s", 1000];
  return length === 0 ? "0" : `${length / size}${unit}`;
}

function describeQuiet({ quiet }: Subscriber): string | undefined {
  if (quiet === undefined) return undefined;
  const { from, to, timezone = "UTC", days, except } = quiet;
  const on = days === undefined ? "" : ` on ${days.join(", ")}`;
  return `quiet from ${from} to ${to} ${timezone}${on}${except ? `, except ${except}` : ""}`;
}

function describeReports(notification: Notification): string | undefined {
  const { report = [] } = notification;
  if (report.length === 0 || !takesReports(notification)) return undefined;
  return `report of each ${joinNames(report)}`;
}

export function listChannelsWithoutOn(
  channels: readonly Subscriber[],
  sites: readonly NamedSite[],
): string[] {
  const notes = listRoutes(channels, sites).flatMap(({ channel, note }) =>
    note === undefined ? [] : [`${channel} ${note}`]
  );
  return [...new Set(notes)];
}

const SECRET = /^\$[A-Za-z_]\w*$/;

/** Type and destination of a channel, without anything that may be a secret. */
export function channelName(notification: Notification): string {
  const { type, to, channel, site, room, user = "", "chat-id": chat } = notification;
  const address = notification["webhook-url"] ?? notification.url ?? "";
  const key = notification["integration-key"] ?? notification["api-key"] ?? notification.topic ??
    notification.token ?? "";
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(address)?.[1];
  const places = [
    SECRET.test(address) ? address : host,
    channel,
    to?.join(", "),
    chat && `chat ${chat}`,
    site,
    room,
    notification["to-number"],
    notification.call ? "call" : undefined,
    SECRET.test(user) ? user : undefined,
    SECRET.test(key) ? key : undefined,
  ].filter((place) => place !== undefined);
  return places.length === 0 ? type : `${type} (${places.join(", ")})`;
}
