import { publicUrl } from "../../../io/secrets/url_credentials.ts";
import { showsHost } from "../../../checks/http/headers.ts";
import type { Notification } from "../../../config/channels/keys.ts";
import type { Message } from "../../message.ts";
import { CarrierError } from "../../../outbox/effect.ts";
import type { Channel, Sending } from "../channel.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../../../config/channels/kinds.ts";
import { deliver, type Delivery } from "./deliver.ts";
import { byName, type Filler, resolving } from "./filler.ts";
import { USUAL_SENDING_PACE } from "./pace.ts";
import { type Preparation, prepare } from "./prepare.ts";
import { type Cure, wordsOf } from "./refusal.ts";
import type { HttpAnswer, HttpRequest } from "./request.ts";

/** What a payload is made from. */
export interface Outgoing {
  notification: Notification;
  message: Message;
  sending: Sending;
  filler: Filler;
}

/** What one vendor's channel has that others have not. */
export interface HttpChannel {
  /** Name of the vendor, as a sentence begins with it. */
  vendor: string;
  /** What is sent for a message, one after another. */
  requests(outgoing: Outgoing): HttpRequest[];
  cures?: readonly Cure[];
  statusOf?(answer: HttpAnswer): number;
}

/** A channel whose messages are requests. */
export function httpChannel(kind: HttpChannel): Channel {
  return {
    preview: (notification, message, sending) =>
      kind.requests({ notification, message, sending, filler: byName })
        .map(({ otherwise: _, address, ...request }) => ({
          ...request,
          address: publicUrl(address),
        })),
    assertSendable(notification, message, sending) {
      const { requests, preparation } = outgoingRequests(kind, { notification, message, sending });
      for (const request of requests) prepare(request, preparation);
    },
    async send(notification, message, sending) {
      const { requests, preparation } = outgoingRequests(kind, { notification, message, sending });
      return await sendAll(requests, {
        preparation,
        delivery: {
          vendor: kind.vendor,
          cures: kind.cures ?? [],
          settings: preparation.settings,
          statusOf: kind.statusOf ?? (({ status }) => status),
          secrets: sending.secrets,
          clock: sending.clock,
          random: sending.random,
          pace: sending.pace ?? USUAL_SENDING_PACE,
          waited: 0,
        },
      });
    },
  };
}

/**
 * Returns the requests of a message, with secrets filled in.
 *
 * @throws {CarrierError} If a setting or a secret is missing.
 */
function outgoingRequests(
  kind: HttpChannel,
  { notification, message, sending }: Omit<Outgoing, "filler">,
): { requests: HttpRequest[]; preparation: Preparation } {
  const { vendor } = kind;
  const { needs }: ChannelKind = CHANNEL_KINDS[notification.type];
  const absent = needs.filter((key) => notification[key] === undefined);
  if (absent.length > 0) throw unset(`${vendor} can't be notified: ${absent} is missing`);
  const missing = new Set<string>();
  const filler = resolving(sending.secrets, missing);
  const requests = kind.requests({ notification, message, sending, filler });
  if (missing.size > 0) {
    const names = [...missing].map((name) => `$${name}`).join(", ");
    throw unset(
      `${vendor} can't be notified: ${names} is not among the secrets (names are case-sensitive; SECRETS_CONTEXT or --secrets gives them)`,
    );
  }
  const preparation = {
    vendor,
    settings: settingsOf(notification),
    userAgent: sending.userAgent,
    secrets: sending.secrets,
    showsHost: notification.url === undefined || showsHost(notification.url.trim()),
  };
  return { requests, preparation };
}

/** One that is refused for good costs the others nothing; what may pass is tried again with all of them. */
async function sendAll(
  requests: readonly HttpRequest[],
  { preparation, delivery }: { preparation: Preparation; delivery: Delivery },
): Promise<string> {
  let refused: CarrierError | undefined;
  let said = "";
  const end = delivery.clock.elapsed() + delivery.pace.budget;
  for (const [index, request] of requests.entries()) {
    if (delivery.clock.elapsed() > end) {
      throw new CarrierError(
        `${delivery.vendor} took ${index} of ${requests.length} messages in ${
          delivery.pace.budget / 1000
        } s`,
        { prospect: "passing" },
      );
    }
    try {
      const answer = await deliver(prepare(request, preparation), delivery);
      const words = wordsOf(answer, (text) => delivery.secrets.redact(text));
      const note = answer.note === undefined ? "" : `; ${answer.note}`;
      said = `answered ${answer.status}${words === "" ? "" : `: ${words}`}${note}`;
    } catch (error) {
      if (!(error instanceof CarrierError) || error.prospect !== "final") throw error;
      refused ??= error;
    }
  }
  if (refused !== undefined) throw refused;
  return said;
}

function unset(message: string): CarrierError {
  return new CarrierError(message, { prospect: "setting" });
}

/** What a request depends on, such as `webhook-url ($SLACK_WEBHOOK_URL)`. */
function settingsOf(notification: Notification): string {
  const { needs }: ChannelKind = CHANNEL_KINDS[notification.type];
  const others = (["url", "site"] as const).filter((key) =>
    notification[key] !== undefined && !needs.includes(key)
  );
  return [...needs, ...others].map((key) => {
    const value = notification[key];
    const names = typeof value === "string" ? value.match(/\$[A-Z_][A-Z0-9_]*/g) ?? [] : [];
    return names.length === 0 ? key : `${key} (${names.join(", ")})`;
  }).join(" and ");
}
