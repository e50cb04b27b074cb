import type { DispatchEvent } from "../../lib/incidents/dispatch/events.ts";

/** A workflow that is started, or would be. */
export interface Dispatch {
  event: DispatchEvent;
  /** `owner/name`. */
  repository: string;
  dryRun: boolean;
}

/** What is said of a workflow that was started. */
export function dispatchLine({ event, repository, dryRun }: Dispatch): string {
  const what = `the workflow for ${event} in ${repository}`;
  return dryRun ? `Nothing was sent; a run would start ${what}.` : `Started ${what}.`;
}

/** The same as data. */
export function dispatchJson({ event, repository, dryRun }: Dispatch): unknown {
  return { event, repository, sent: !dryRun };
}
