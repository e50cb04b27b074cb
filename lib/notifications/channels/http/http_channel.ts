import { showsHost } from "../../../checks/http/headers.ts";
import type { Notification } from "../../../config/channels/keys.ts";
import { findKind } from "../../../config/channels/kinds.ts";
import { describeMissing } from "../../../io/secrets/missing.ts";
import { publicUrl } from "../../../io/secrets/url_credentials.ts";
import { EffectError } from "../../../outbox/effect.ts";
import { joinNames } from "../../../text/words.ts";
import { type ChannelSender, SettingError, USUAL_SENDING_PACE } from "../channel.ts";
import { Outgoing } from "../outgoing.ts";
import { deliver, type Delivery, type Vendor } from "./delivery.ts";
import { type HttpRequest, prepare } from "./request.ts";

export function httpChannel(
  { requests, ...vendor }: Vendor & {
    /** Makes the requests for a message, to be sent one after another. */
    requests(outgoing: Outgoing): HttpRequest[];
  },
): ChannelSender {
  return {
    preview: (notification, message, sending) =>
      requests(new Outgoing(notification, message, sending, true))
        .map(({ otherwise: _, method = "POST", address, ...request }) => (
          { method, address: publicUrl(address), ...request }
        )),
    assertSendable(...message) {
      const outgoing = new Outgoing(...message);
      const made = resolved(vendor.vendor, requests, outgoing);
      for (const request of made) prepare(request, toDelivery(vendor, outgoing));
    },
    async send(...message) {
      const outgoing = new Outgoing(...message);
      const made = resolved(vendor.vendor, requests, outgoing);
      return await sendAll(made, toDelivery(vendor, outgoing));
    },
  };
}

/**
 * The requests of a message with secrets filled in.
 *
 * @throws {EffectError} If a setting or a secret is missing.
 */
function resolved(
  vendor: string,
  requests: (outgoing: Outgoing) => HttpRequest[],
  outgoing: Outgoing,
): HttpRequest[] {
  const { notification, missing } = outgoing;
  const { needs } = findKind(notification);
  const absent = needs.filter((key) => notification[key] === undefined);
  if (absent.length > 0) throw new SettingError(vendor, `${absent} is missing`);
  const made = requests(outgoing);
  if (missing.size === 0) return made;
  throw new SettingError(vendor, describeMissing([...missing]));
}

function toDelivery(vendor: Vendor, { notification, sending }: Outgoing): Delivery {
  const { url } = notification;
  return {
    ...vendor,
    sending,
    pace: sending.pace ?? USUAL_SENDING_PACE,
    settings: nameSettings(notification),
    showsHost: sending.showsHosts === true || url === undefined || showsHost(url.trim()),
    waited: 0,
  };
}

/** Names the keys that a request depends on, such as `webhook-url ($SLACK_WEBHOOK_URL)`. */
function nameSettings(notification: Notification): string {
  const { needs } = findKind(notification);
  const others = (["url", "site"] as const).filter((key) =>
    notification[key] !== undefined && !needs.includes(key)
  );
  return joinNames([...needs, ...others].map((key) => {
    const names = String(notification[key]).match(/\$[A-Z_][A-Z0-9_]*/g) ?? [];
    return names.length === 0 ? key : `${key} (${names.join(", ")})`;
  }));
}

/**
 * Sends all requests. A permanent refusal of one does not stop the others; after a transient failure all
 * are retried.
 */
async function sendAll(requests: readonly HttpRequest[], delivery: Delivery): Promise<string> {
  const { vendor, pace, sending: { clock } } = delivery;
  const end = clock.elapsed() + pace.budget;
  let refused: EffectError | undefined;
  let answer = "";
  for (const [index, request] of requests.entries()) {
    if (clock.elapsed() > end) {
      const progress = `${index} of ${requests.length} messages in ${pace.budget / 1000} s`;
      throw new EffectError(`${vendor} took ${progress}`, { kind: "transient" });
    }
    try {
      answer = await deliver(request, delivery);
    } catch (error) {
      if (!(error instanceof EffectError) || error.kind !== "permanent") throw error;
      refused ??= error;
    }
  }
  if (refused !== undefined) throw refused;
  return answer;
}
