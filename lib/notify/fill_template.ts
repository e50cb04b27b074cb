import type { Secrets } from "../config/secrets/secrets.ts";
import { describeDuration } from "../time.ts";
import type { MessagePlaces, SiteEvent } from "./message.ts";

/** What a template is filled with beside its event. */
export interface Filling {
  secrets: Secrets;
  places: MessagePlaces;
  /** Makes a value fit for the place where it lands. */
  escape?(value: string): string;
}

const REFERENCE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;

/** A template with its placeholders and secrets put in, in one pass: a value is never looked at again. */
export function fillTemplate(
  template: string,
  event: SiteEvent,
  { secrets, places, escape = (value) => value }: Filling,
): string {
  const values = valuesOf(event, places);
  return template.replace(REFERENCE, (reference, name: string) => {
    const value = values.get(name) ?? secrets.substitute(reference).text;
    return value === reference ? reference : escape(value);
  });
}

function valuesOf(event: SiteEvent, { home }: MessagePlaces): ReadonlyMap<string, string> {
  const { kind, issue, lasted, responseTime } = event;
  return new Map([
    ["SITE_NAME", event.name],
    ["STATUS", kind],
    ["SITE_STATUS", kind],
    ["SITE_URL", event.url ?? ""],
    ["RESPONSE_CODE", String(event.code)],
    ["RESPONSE_TIME", responseTime === undefined ? "" : String(Math.round(responseTime))],
    ["TIMESTAMP", event.since],
    ["ERROR", event.error],
    ["DURATION", lasted === undefined ? "" : describeDuration(lasted)],
    ["INCIDENT_URL", home === undefined || issue === undefined ? "" : `${home}/issues/${issue}`],
  ]);
}
