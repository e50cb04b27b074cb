/** Texts of the pages about the numbers and about feeds, and of the one for unknown addresses. */
export const ENGLISH_ABOUT = {
  aboutIntro: "What is checked, how states are determined, and what the numbers mean.",
  aboutChecks: "What is checked",
  aboutChecksText:
    "Each service is checked on a schedule, the way a visitor reaches it: the check looks up the name, opens a new connection and reads the response. It can fail because of the status code, the content, the certificate or the response time. All checks run from one location.",
  aboutPlaces:
    "Each service is checked on a schedule, the way a visitor reaches it: the check looks up the name, opens a new connection and reads the response. It can fail because of the status code, the content, the certificate or the response time.",
  aboutLocations:
    "Some services are checked from several locations. Such a service is down if enough of them see it down, and degraded if some do, but not enough. A location without a result does not count. The response time is the median of the locations with a successful check.",
  aboutTimes:
    "All values are as of the last check. Times are in the time zone $ZONE; daily bars and statistics use UTC days.",
  aboutRuns: "How often checks run",
  "aboutRunsText.one":
    "Checks ran $COUNT time in the last 7 days. The median interval between runs was $MEDIAN; 9 of 10 intervals were at most $MOST, and the longest was $LONGEST.",
  "aboutRunsText.other":
    "Checks ran $COUNT times in the last 7 days. The median interval between runs was $MEDIAN; 9 of 10 intervals were at most $MOST, and the longest was $LONGEST.",
  aboutRunsLate:
    "$SHARE of the intervals were longer than $LIMIT, twice the planned interval. An outage between two runs can go unnoticed, and is then missing from all figures.",
  "aboutRunsFew.one": "Runs in the last 7 days: $COUNT, too few to tell how regular they are.",
  "aboutRunsFew.other": "Runs in the last 7 days: $COUNT, too few to tell how regular they are.",
  aboutVerdict: "How a state is determined",
  aboutFirst:
    "A failed check is retried after a few seconds, on a new connection and, if the name has several addresses, at another address. The service is up if one attempt succeeds.",
  aboutOwnFault:
    "If other well-known hosts can't be reached either, the monitor's own network is at fault, and the check has no result.",
  aboutDown:
    "A service is down if all attempts fail. The outage starts at the first failed attempt, not when it is confirmed.",
  aboutUp:
    "A service is up again after enough successful attempts in a row. The outage ends at the first of them. If the service soon fails again, the same incident continues.",
  aboutDegradedVerdict:
    "A service is degraded if most of its recent checks were too slow, or found a fault that is not an outage.",
  aboutStates: "What the symbols mean",
  aboutUp1: "The service responds as expected.",
  aboutDegraded1: "The service responds, but slowly or with a minor fault. This time counts as up.",
  aboutDown1: "The service does not respond as expected, and retries have confirmed it.",
  aboutMaintenance1: "Announced work. This time counts neither as up nor as down.",
  aboutUnknown1:
    "No check ran, or the monitor itself was at fault. This time counts neither as up nor as down.",
  aboutPaused1: "The service is currently not checked.",
  aboutNumbers: "What the numbers mean",
  aboutUptimeText:
    "The share of time in which the service was not down: 1 − down ÷ (time with data − maintenance). It is never rounded up to 100%. That of a group is the mean of its services.",
  aboutUptime: "Uptime",
  aboutCoverage: "Coverage",
  aboutCoverageText:
    "The share of the time since the service was first monitored for which there is data. A check covers the time until the next check, up to a limit.",
  aboutResponse: "Response time",
  aboutResponseText:
    "The time from the DNS lookup to the last byte of the response, redirects included, in the attempt that succeeded. Failed checks have no response time, and are not part of any average.",
  aboutPercentiles: "Percentiles",
  aboutPercentilesText:
    "50, 95 or 99 of 100 successful checks took at most this long (p50, p95, p99). For days of which only totals are kept, the values are accurate to 5%; all others are exact.",
  aboutWindows: "Periods",
  aboutWindowsText:
    "24 hours and 7 days end at the last check; 30, 90 and 365 days are days in UTC, and the last one is today so far. All time starts when the service was first monitored.",
  aboutBars: "Daily bars",
  aboutBarsText:
    "One bar is one UTC day, and the last one is today so far. It shows the worst state of the day: the taller the color, the longer it lasted.",
  aboutApdex: "Apdex",
  aboutApdexText:
    "A score from 0 to 1: the share of checks that responded within the target time, plus half the share of those that took up to four times as long.",
  aboutIncidents: "Incidents",
  aboutIncidentsText:
    "Each confirmed outage or degradation of a service is an incident, from its first failed attempt to its first successful one. Notices are written by people, and are not part of any number.",
  aboutNotCounted: "What is not counted",
  aboutNotCountedText:
    "Maintenance, time without data, and failures that a retry did not confirm. An outage that is shorter than the time between two checks can go unnoticed.",
  aboutData: "Where to find the data",
  aboutDataText: "All checks are available as files in the repository.",
  aboutSummary: "Current state of all services, as JSON",
  aboutRepository: "Repository of this monitor",
  aboutLogs: "All checks, as CSV",
  aboutBadges: "The page of each service has badges to copy.",
  aboutProgram: "Generated by $PROGRAM $VERSION",
  aboutEmbed: "Show the status on your own site",
  aboutStrip:
    "A strip with the overall status, in the colors of this page. ?theme=light or ?theme=dark at the end of its address sets others.",
  aboutBanner:
    "A banner that appears while something is down or degraded. Visitors can close it, and it then stays closed until the state changes. It sets no cookies.",
  subscribe: "Subscribe",
  subscribeIntro: "Get incidents and maintenance as they are reported.",
  subscribeParts: "Only some services",
  feedTitle: "Feed",
  feedHelp: "For any feed reader",
  open: "Open",
  copy: "Copy",
  copied: "Copied",
  close: "Close",
  mailTitle: "Mail",
  mailHelp: "On GitHub, choose Watch, Custom, then Issues.",
  calendarTitle: "Calendar",
  calendarHelp: "Planned maintenance",
  calendarAdd: "Add",
  addToCalendar: "Add to calendar",
  notFoundTitle: "Page not found",
  notFoundText: "The address may be mistyped, or the page has been removed.",
  notFoundBack: "Back to status",
} as const;
