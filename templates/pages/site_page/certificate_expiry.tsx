import { isBefore } from "../../../lib/time.ts";
import type { View } from "../page.ts";
import { Shape } from "../parts/shape.tsx";

/** Fewer days than these are a reason to look. */
const SOON = 14 * 24;

const DAY = 86_400;

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
  const seconds = until.since(time).total("seconds");
  const left = seconds < DAY ? seconds : Math.floor(seconds / DAY) * DAY;
  const words = language.say("certificateValid", { DAY: date, TIME: language.duration(left) });
  if (seconds >= SOON * 3600) return <>{words}</>;
  return (
    <span class="degraded">
      <Shape of="degraded" /> {words}
    </span>
  );
}
