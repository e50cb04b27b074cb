/**
 * Texts that Upptime's page has, with the names that stand for what is put in. Those that ours has too
 * have the same names, so that translations can move here as they are.
 */
export const UPPTIME_PAGE_TEXTS: Readonly<Record<string, readonly string[]>> = {
  ...withoutNames(
    "activeIncidents allSystemsOperational incidentDetails incidentFixed incidentOngoing",
    "incidentOpenedAt incidentClosedAt incidentSubscribe incidentViewOnGitHub incidentBack",
    "pastIncidents liveStatus overallUptimeTitle averageResponseTimeTitle sevelDayResponseTime",
    "responseTimeMs up down degraded ms loading navGitHub pastScheduledMaintenance",
    "scheduledMaintenance startedAt startsAt duration incidentCompleted incidentScheduled",
    "duration24H duration7D duration30D duration1Y durationAll locale",
    "errorTitle errorIntro errorText errorHome rateLimitExceededTitle rateLimitExceededIntro",
    "rateLimitExceededWhatDoesErrorMean rateLimitExceededErrorMeaning rateLimitExceededErrorHowCanFix",
    "rateLimitExceededErrorFix rateLimitExceededGeneratePAT rateLimitExceededHasSet",
    "rateLimitExceededRemoveToken rateLimitExceededGitHubPAT rateLimitExceededCopyPastePAT",
    "rateLimitExceededSaveToken",
  ),
  incidentReport: ["NUMBER"],
  activeIncidentSummary: ["DATE", "POSTS"],
  incidentTitle: ["NUMBER"],
  incidentCommentSummary: ["DATE", "AUTHOR"],
  pastIncidentsResolved: ["MINUTES", "POSTS"],
  overallUptime: ["UPTIME"],
  averageResponseTime: ["TIME"],
  scheduledMaintenanceSummaryStarted: ["DATE", "DURATION"],
  scheduledMaintenanceSummaryStarts: ["DATE", "DURATION"],
  durationMin: ["DURATION"],
  footer: ["OWNER", "REPO"],
};

function withoutNames(...lines: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(lines.join(" ").split(" ").map((key) => [key, []]));
}

/** Sentences of Upptime's README, and the texts of our page that say the same. */
export const UPPTIME_SENTENCES: Readonly<Record<string, string>> = {
  degradedPerformance: "degradedService",
  completeOutage: "majorOutage",
};
