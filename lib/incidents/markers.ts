const INCIDENT = "<!-- monitor-incident: ";
const COMMENT = "<!-- monitor-comment: ";

/** Hidden in an issue of ours: the incident it is about, by its id after its folder. */
export function incidentMarker(name: string): string {
  return `${INCIDENT}${name} -->`;
}

/** A text with something hidden at its end. */
export function withMarker(text: string, marker: string): string {
  return `${text.trimEnd()}\n\n${marker}`;
}

/** Hidden in a comment of ours: what it was written for. */
export function commentMarker(effect: string): string {
  return `${COMMENT}${effect} -->`;
}

/** Whether a text of an issue is one of ours, or was copied from one. */
export function isMarked(body: string): boolean {
  return [INCIDENT, COMMENT].some((begin) => body.includes(begin));
}
