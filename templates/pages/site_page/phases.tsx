import type { Phases as PhaseTimes } from "../../../lib/checks/check.ts";
import type { MessageKey } from "../../../lib/text/messages/messages.ts";
import { PHASE_NAMES } from "../../../lib/history/phases.ts";
import type { Language } from "../language.ts";

const WORDS = {
  dns: "phaseDns",
  connect: "phaseConnect",
  tls: "phaseTls",
  ttfb: "phaseTtfb",
  download: "phaseDownload",
} as const satisfies Record<keyof PhaseTimes, MessageKey>;

/** What a check waits for, one part after another. */
export function Phases({ phases, language }: { phases?: PhaseTimes; language: Language }) {
  if (phases === undefined) return null;
  const whole = PHASE_NAMES.reduce((sum, name) => sum + phases[name], 0);
  if (whole === 0) return null;
  const percent = (value: number) => `${Math.round(value / whole * 1000) / 10}%`;
  let begin = 0;
  return (
    <section>
      <h2>{language.say("phases")}</h2>
      <div class="card">
        <svg class="phases" aria-hidden="true">
          {PHASE_NAMES.map((name) => {
            const x = percent(begin);
            begin += phases[name];
            return <rect class={name} x={x} width={percent(phases[name])} height="20" />;
          })}
        </svg>
        <ul class="key">
          {PHASE_NAMES.map((name) => (
            <li>
              <svg class="phases" aria-hidden="true">
                <rect class={name} width="16" height="12" />
              </svg>
              {language.say(WORDS[name])} <b>{language.milliseconds(phases[name])}</b>
            </li>
          ))}
        </ul>
        <p class="muted">{language.say("phasesOf")}</p>
      </div>
    </section>
  );
}
