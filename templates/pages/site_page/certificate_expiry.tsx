import { DAY, isBefore } from "../../../lib/time.ts";
import type { View } from "../page.ts";
import { Shape } from "../parts/shape.tsx";

/** Less time than this is a reason to look. */
const SOON = 14 * DAY;

/** Until when a certificate is valid, and how long that still is. */
export function CertificateExpiry(
  { until, view: { language, report: { time } } }: { until: Temporal.Instant; view: View },
) {
  const date = language.day(language.dateOf(until));
  if (!isBefore(time, until)) {
    return (
      <span class="down">
        <Shape of="down" /> {language.say("certificateExpired", { DAY: date })}
      </span>
    );
  }
  const left = until.epochMilliseconds - time.epochMilliseconds;
  const told = left < DAY ? left : Math.floor(left / DAY) * DAY;
  const TIME = language.duration(told / 1000);
  const words = language.say("certificateValid", { DAY: date, TIME });
  if (left >= SOON) return <>{words}</>;
  return (
    <span class="degraded">
      <Shape of="degraded" /> {words}
    </span>
  );
}
