import { plainText } from "../../text/plain_text.ts";
import { cutText } from "../fit_text.ts";
import { withGaps } from "./escape.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { HttpAnswer } from "./http/request.ts";
import { sayLink } from "../message_text.ts";
import { listMessageLinks, renderPlainText } from "./plain_message.ts";

const LONGEST_TITLE = 250;
/** Apprise cuts or splits what is too long for a target. */
const LONGEST_TEXT = 3_000;
const TYPES = {
  down: "failure",
  degraded: "warning",
  up: "success",
  notice: "warning",
  report: "info",
  test: "info",
} as const;

/**
 * A saved configuration of an Apprise API (github.com/caronc/apprise-api). A text has no markup, because each
 * target reads another.
 */
export const apprise = httpChannel({
  vendor: "Apprise",
  requests(outgoing) {
    const { text: { headline, events }, notification: { tags: names = [] } } = outgoing;
    const tags = names.map((tag) => outgoing.fill(tag));
    const links = listMessageLinks(outgoing);
    const toBody = (text: string) => {
      const lines = text.split("\n").map((line) => withGaps(line));
      return outgoing.isShort
        ? [...lines, ...links.slice(0, 1).map(({ address }) => address)].join(" ")
        : [...lines, ...links.map((link) => sayLink(link, outgoing.language))].join("\n");
    };
    const body = toBody(
      renderPlainText(outgoing, {
        longest: LONGEST_TEXT,
        measure: (text) => toBody(text).length,
      }),
    );
    return [{
      address: outgoing.webhookUrl(outgoing.notification.url),
      headers: { Accept: "application/json", "X-Apprise-Log-Level": "info" },
      body: {
        title: cutText(plainText(`${events[0]!.sign} ${withGaps(headline)}`), LONGEST_TITLE),
        body: cutText(body, LONGEST_TEXT),
        type: TYPES[events[0]!.event.kind],
        format: "text",
        ...tags.length === 0 ? {} : { tag: tags.join(",") },
      },
    }];
  },
  findRefused,
  cures: [
    {
      status: 204,
      cure:
        "nothing is saved for the key at the end of the address, so nobody was notified: check url",
    },
    {
      status: 424,
      cure: "no target was notified: look at the log of Apprise, and check its targets and tags",
    },
  ],
});

/** Reports a message that some targets got. Sending it again would double it there. */
function findRefused(answer: HttpAnswer): string | undefined {
  const details = findWithin(parseAnswer(answer), "details");
  if (answer.status !== 424 || !Array.isArray(details)) return undefined;
  const sent = details.filter((line) => Array.isArray(line) && /^sent /i.test(String(line.at(-1))));
  return sent.length === 0 ? undefined : "some targets of Apprise, whose log says which and why";
}
