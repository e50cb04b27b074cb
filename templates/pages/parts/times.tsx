import type { View } from "../page.ts";
import { Time } from "./time.tsx";

/** Up to when the page tells of checks, and when it was made. */
export function Times({ view: { report, language, built } }: { view: View }) {
  const isChecked = report.sites.some(({ record }) => record !== undefined);
  return (
    <p class="times">
      {isChecked
        ? language.tell("checksUpTo", {
          TIME: <Time at={report.time} language={language} />,
        })
        : language.say("noChecks")}
      {" · "}
      {language.tell("pageBuilt", { TIME: <Time at={built} language={language} /> })}
    </p>
  );
}
