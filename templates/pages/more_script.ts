import { STATE_ORDER } from "../../lib/incidents/impact.ts";
import { OVERALL_RULES } from "../../lib/page/overall.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { OPEN_COUNTS } from "./incident_words.ts";
import { listLineTexts } from "./describe_overall.tsx";
import type { Language } from "./language.ts";
import { MORE_SCRIPT } from "./scripts.ts";
import type { View } from "./view.ts";

const rendered = new WeakMap<PageSettings, string>();

/** The script that a page loads when it is needed first, with the texts that only it writes. */
export function renderMoreScript(
  { settings, language }: Pick<View, "settings" | "language">,
): string {
  return rendered.getOrInsertComputed(settings, () => {
    const texts = listTexts(plainText(settings.name), language);
    return `Object.assign(statusPage.settings,${JSON.stringify(texts)});${MORE_SCRIPT}`;
  });
}

function listTexts(name: string, language: Language) {
  const { say, listForms } = language;
  return {
    problems: listForms("problemCount"),
    found: listForms("foundCount"),
    notFound: say("foundNone"),
    clear: say("clearFilter"),
    order: STATE_ORDER,
    overall: [
      ...OVERALL_RULES.map(([state, more, key]) => [state, say(key), more]),
      ["unknown", say("nothingKnown"), 1],
    ],
    line: listLineTexts(language),
    counts: [listForms("operationalCount"), say("partCount")],
    copied: say("copied"),
    close: say("close"),
    titles: [nameStatus(name, say), name],
    counted: Object.fromEntries(
      Object.entries(OPEN_COUNTS).map(([kind, key]) => [kind, listForms(key)]),
    ),
    left: { down: say("isDown"), degraded: say("isDegraded") },
    lasting: {
      down: say("downFor"),
      degraded: say("degradedFor"),
      maintenance: say("maintenanceFor"),
    },
    more: listForms("andMore"),
    above: listForms("shownAbove"),
    folded: listForms("moreIncidents"),
    labeled: say("labeled"),
    startsIn: say("startsIn"),
    started: say("maintenanceNow"),
  };
}

/** `Acme status`; a name with that word stays as it is. */
export function nameStatus(name: string, say: Language["say"]): string {
  const words = ["status", say("navStatus").toLowerCase()];
  return words.some((word) => name.toLowerCase().includes(word))
    ? name
    : say("statusOf", { NAME: name });
}
