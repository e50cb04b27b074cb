import { createPhaseReader } from "../../../lib/incidents/phase_words.ts";
import { assert, assertEquals } from "@std/assert";
import { DomUtils, parseDocument } from "htmlparser2";
import { planAnnouncement } from "../../../lib/incidents/announce.ts";
import {
  announcementMarker,
  isAnnouncement,
  isMarked,
} from "../../../lib/incidents/marked_texts.ts";
import { parseUpdate } from "../../../lib/incidents/timeline_updates.ts";
import { UsageError } from "../../../lib/text/arguments.ts";
import { renderAnnouncement } from "../../../templates/issue/announcement.ts";
import { gfmToHtml } from "../../../templates/pages/markdown.tsx";
import { hostileText } from "../../helpers/hostile_text.ts";
import { LANGUAGE } from "../../helpers/languages.ts";
import fc from "../../helpers/property.ts";

const FORGED = fc.constantFrom(
  ...[
    "<!-- monitor-comment: x -->",
    "<!-- monitor-incident: x",
    "<!<!-- a -->-- monitor-comment: x -->",
  ],
  ...["&#x40;ann", "&commat;ann", "@&#97;nn", "_@ann_", "/ack", "Resolved: all is well"],
);
const TEXT = fc.array(fc.oneof(hostileText(), FORGED), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(" "));

Deno.test("whatever people announce is shown as their word, forges no marker, and mentions nobody", () => {
  const created = Temporal.Instant.from("2026-11-21T10:05:00Z");
  let shown = 0;
  fc.assert(fc.property(TEXT, (text) => {
    const plan = () => planAnnouncement({ update: "1", phase: "identified", text }, []);
    let announcement: ReturnType<typeof plan>;
    try {
      announcement = plan();
    } catch (error) {
      assert(error instanceof UsageError);
      return;
    }
    const body = renderAnnouncement(announcement, announcementMarker("1a2b3c4d"), LANGUAGE);
    assert(isAnnouncement(body) && !isMarked(body), body);
    const comment = { body, author: "jo", isTrusted: true, created };
    const update = parseUpdate(comment, createPhaseReader([LANGUAGE]))!;
    assertEquals(update.phase, "identified");
    assert(update.text !== "" && !update.text.includes("monitor-announcement"), update.text);
    const html = gfmToHtml(body, { title: "", back: String });
    const texts = DomUtils.filter((node) => node.type === "text", parseDocument(html).children);
    for (const node of texts) {
      const words = DomUtils.textContent(node);
      assert(!/(?:^|[^a-z\d])@[a-z\d]/i.test(words), `${JSON.stringify(text)}: ${words}`);
    }
    shown++;
  }));
  assert(shown > 5);
});
