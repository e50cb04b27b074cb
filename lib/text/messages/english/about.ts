/** Words of the page about the numbers, and of the one for addresses that lead nowhere. */
export const ABOUT_WORDS = {
  aboutIntro: "What is checked, how it is judged, and what each number on these pages means.",
  aboutChecks: "What is checked",
  aboutChecksText:
    "Each service is checked on a schedule, the way a visitor would reach it: the check resolves the name, opens a new connection and reads the answer. It may find an answer wrong by its status code, its content, its certificate or its time. All checks are made from one place on the internet.",
  aboutTimes:
    "Times on these pages are those of the last check, in the zone $ZONE; days of bars and statistics are days of UTC.",
  aboutVerdict: "How a verdict is reached",
  aboutFirst:
    "A check that fails is repeated some seconds later, each time on a new connection and, where a name has several, at another address. One good attempt is enough for the site to be up.",
  aboutOwnFault:
    "Where other well-known places can't be reached either, the fault is taken to be on the side of the monitor: the check says nothing of the site.",
  aboutDown:
    "A site is down once all attempts have failed. Its outage began with the first of them, not with the moment in which it was certain.",
  aboutUp:
    "A site is up again after good attempts in a row. The outage ended with the first of these. One that fails again soon after goes on in the same incident.",
  aboutDegradedVerdict:
    "A site is degraded when it is slower than it may be, or something else about its answer is not as it should be, in most of its last checks.",
  aboutStates: "What the shapes mean",
  aboutUp1: "The site answers as it should.",
  aboutDegraded1: "It answers, but slowly or not quite as it should. It counts as up.",
  aboutDown1: "It did not answer as it should, and that was confirmed.",
  aboutMaintenance1: "Work was announced. What happens in that time counts for nothing.",
  aboutUnknown1:
    "Nothing is known of this time: no check was made, or the monitor itself could not look. It counts neither for nor against the site.",
  aboutPaused1: "The site is not checked for now.",
  aboutNumbers: "What the numbers mean",
  aboutUptimeText:
    "The share of the time in which the site was not down: 1 − down ÷ (observed − maintenance). Only observed time counts. It is never rounded up to 100%.",
  aboutUptime: "Uptime",
  aboutCoverage: "Coverage",
  aboutCoverageText:
    "The share of the time since the site was first monitored of which something is known. A check speaks for the time until the next one, up to a limit; time that no check speaks for is no data.",
  aboutResponse: "Response time",
  aboutResponseText:
    "From the look-up of the name to the last byte of the answer, redirects included, of the attempt that was successful. A failed check has no response time, and counts in no average.",
  aboutPercentiles: "Percentiles",
  aboutPercentilesText:
    "p50, p95 and p99 are the times that 50, 95 and 99 of 100 successful checks did not exceed. They are exact where single checks are kept, and right to 5% for days of which only totals are.",
  aboutWindows: "Windows",
  aboutWindowsText:
    "24 hours, 7, 30 and 365 days are measured back from the last check, to the second; the whole time reaches back to when the site was first monitored.",
  aboutBars: "Bars of days",
  aboutBarsText:
    "One bar is one day of UTC, the last one as far as it has gone. It shows the worst that the site was on that day, however short.",
  aboutApdex: "Apdex",
  aboutApdexText:
    "A score from 0 to 1: checks that answered within the target, and half of those that took up to four times as long, of all that were answered or failed.",
  aboutIncidents: "Incidents",
  aboutIncidentsText:
    "Each outage and each degradation that was confirmed is one incident of one site, from its first failed attempt to its first good one. Notices are written by people and count in no number.",
  aboutNotCounted: "What is not counted",
  aboutNotCountedText:
    "Maintenance, time without data, and failures that a repeated attempt did not confirm. An outage shorter than the time between two checks may go unseen.",
  aboutData: "Where the data is",
  aboutDataText: "Every check is public, as a file in the repository.",
  aboutSummary: "How all sites are, as JSON",
  aboutRepository: "Repository of this monitor",
  aboutLogs: "Every check, as CSV",
  aboutBadges: "The page of each site has badges to copy.",
  aboutProgram: "Made by $PROGRAM $VERSION",
  notFoundTitle: "Page not found",
  notFoundText: "The address may be mistyped, or what was here is gone.",
  notFoundBack: "Back to status",
} as const;
