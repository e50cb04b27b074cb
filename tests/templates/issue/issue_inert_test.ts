import { assertEquals } from "@std/assert";
import { plainText } from "../../../lib/text/plain_text.ts";
import { issueBody, issueComment, issueTitle } from "../../../templates/issue/issue.ts";
import { hostileText, REFERENCES } from "../../helpers/hostile_text.ts";
import { endingOf, laterOf, openingOf, PHASES } from "../../helpers/incident_events.ts";
import { NOW } from "../../helpers/outcomes.ts";
import fc from "../../helpers/property.ts";
import { rendered } from "../../helpers/rendered_markdown.ts";
import { siteOf } from "../../helpers/sites.ts";

const PLACES = {
  repository: "https://github.com/acme/status",
  folder: "",
  page: "https://status.acme.example",
};
const ROW = ["tr", "td", "td"];
const ELEMENTS = [
  ...["p", "strong", "table", "thead", "tr", "th", "th", "tbody"],
  ...[...ROW, ...ROW, ...ROW, ...ROW, ...ROW, ...ROW],
  ...["p", "strong", "p", "a", "a", "a", "a", "p", "sub"],
  ...["code", "code", "code", "code", "code"],
];

const site = await siteOf({ name: "Shop", slug: "shop", url: "https://shop.example.com/" });

Deno.test("names, addresses and errors of strangers change nothing about an issue but its words", () => {
  fc.assert(
    fc.property(hostileText(), hostileText(), hostileText(), (name, url, reason) => {
      // What is configured is never empty.
      const shown = { name: `${plainText(name)}.`, reason: `answered 503, ${plainText(reason)}` };
      const hidden = { ...site, name: shown.name, url: `${plainText(url)}$` };
      const event = openingOf(hidden, "down", { code: 503, error: shown.reason, phases: PHASES });
      const told = {
        ...event,
        id: `2026-11-21-${name}`,
        incident: { ...event.incident, slug: name },
      };
      const bodies = [
        issueBody(told, PLACES),
        issueComment(laterOf(told, "reopen", { state: "down", minutes: 9, error: reason }), PLACES),
        issueComment(endingOf(told, NOW.add({ minutes: 9 })), PLACES),
        issueComment({ ...endingOf(told, NOW.add({ minutes: 9 })), site: undefined }, PLACES),
      ];
      for (const body of bodies) {
        const { text, addresses } = rendered(body);
        assertEquals(/@\w/.test(body), false, body);
        assertEquals(REFERENCES.filter((one) => one.test(text)), [], text);
        const strange = addresses.filter((one) =>
          !/^https:\/\/(?:github.com\/acme\/status|status.acme.example)\//.test(one)
        );
        assertEquals(strange, [], body);
      }
      const { elements, text } = rendered(bodies[0]!);
      assertEquals(elements, ELEMENTS);
      assertEquals(said(text).includes(`: ${said(shown.reason)}`), true, text);
      assertEquals([...issueTitle(told)].length <= 256, true);
    }),
  );
});

function said(text: string): string {
  return plainText(text.replaceAll("\u200b", ""));
}
