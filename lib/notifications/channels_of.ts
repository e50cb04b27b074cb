import { destinationOf, isSentPerEvent } from "../config/channels/kinds.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { type ListeningChannel, listeningChannels, type Listings } from "./listener.ts";
import { upptimeChannels } from "../config/upptime/channels.ts";

/** The channels of a configuration, with those that secrets alone set up. */
export function channelsOf(
  { notifications, sites }: Listings,
  secrets: Secrets,
): ListeningChannel[] {
  const others = upptimeChannels((name) => secrets.value(name) ?? "");
  return listeningChannels(
    { notifications: [...notifications, ...others], sites },
    destinationOf,
    isSentPerEvent,
  );
}
