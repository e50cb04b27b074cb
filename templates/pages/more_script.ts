import { STATE_ORDER } from "../../lib/incidents/impact.ts";
import { OVERALL_RULES } from "../../lib/page/overall.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { plainText } from "../../lib/text/plain_text.ts";
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
    const texts = listTexts(plainText(settings.name), language.say);
    return `Object.assign(statusPage.settings,${JSON.stringify(texts)});${MORE_SCRIPT}`;
  });
}

function listTexts(name: string, say: Language["say"]) {
  return {
    problems: say("problemCount"),
    found: say("foundCount"),
    notFound: say("foundNone"),
    clear: say("clearFilter"),
    order: STATE_ORDER,
    overall: [
      ...OVERALL_RULES.map(([state, more, key]) => [state, say(key), more]),
      ["unknown", say("nothingKnown"), 1],
    ],
    line: listLineTexts(say),
    counts: [say("operationalCount"), say("partCount")],
    copied: say("copied"),
    close: say("close"),
    titles: [nameStatus(name, say), name],
    counted: { down: say("servicesDown"), degraded: say("servicesDegraded") },
    more: say("andMore"),
    above: [say("shownAboveOne"), say("shownAbove")],
    startsIn: say("startsIn"),
    started: say("maintenanceNow"),
  };
}

/** `Acme status`; a name with that word stays as it is. */
export function nameStatus(name: string, say: Language["say"]): string {
  const word = say("statusOf", { NAME: "" }).trim().toLowerCase();
  return name.toLowerCase().includes(word) ? name : say("statusOf", { NAME: name });
}
