import { findNotifiableState } from "../incidents/plan_incident.ts";
import type { Subscriber } from "../notifications/channel_list.ts";
import {
  type ChannelStates,
  type Notified,
  readNotifiedChannel,
} from "../notifications/channel_state.ts";
import { findAcknowledgementKey } from "../notifications/message.ts";
import type { HistoryState } from "./history_state.ts";
import { toAcknowledged } from "./respond.ts";

/**
 * What channels were notified of if the run state is lost or out of reach: what the files of the incidents say; in the
 * latter case everything that they want, so that nothing is sent twice.
 */
export function presumeStates(
  { incidents, loadedState: { isLost } }: Pick<HistoryState, "incidents" | "loadedState">,
  channels: readonly Subscriber[],
  at: Temporal.Instant,
): ChannelStates {
  return Object.fromEntries(channels.map(({ key, wants, alerts }) => {
    const notified = [...incidents].flatMap(([id, incident]): Notified[] => {
      const { slug, channels } = incident;
      const kind = findNotifiableState(incident);
      const own = readNotifiedChannel(channels, key);
      const isNotified = own !== undefined || (!isLost && wants(slug).includes(kind!));
      if (kind === undefined || !isNotified) return [];
      const hasAlert = alerts === "all" || (alerts !== undefined && kind === "down");
      const alert = own?.alert ?? id;
      const { acknowledged, formerly } = toAcknowledged(incident, at);
      return [{
        ...{ slug, incident: id, kind, at },
        acknowledged: findAcknowledgementKey({ acknowledged }),
        formerly: findAcknowledgementKey({ acknowledged: formerly }),
        ...incident.affects.length === 0 ? {} : { affects: incident.affects.length },
        ...hasAlert ? { alert } : {},
        ...hasAlert && acknowledged !== undefined ? { silenced: true } : {},
      }];
    });
    return [key, { notified }];
  }));
}
