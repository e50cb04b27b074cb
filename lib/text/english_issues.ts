/** Texts of issues and their comments, of the forms for them, and of hints, which messages have too. */
export const ENGLISH_ISSUES = {
  // Titles.
  // WHEN is relative to the present: "in 5 days", "2 hours ago".
  siteDomainExpired: "$NAME: domain expired $WHEN",
  manySitesFail: "Many sites are failing",
  manySitesFailOf: "Many sites of $GROUP are failing",
  // The first sentence of an issue.
  issueDown: "$NAME has been **down** since $TIME",
  issueDownError: "$NAME has been **down** since $TIME: $ERROR",
  issueDownIn: "$NAME has been **down** in $PLACES since $TIME",
  issueDownInError: "$NAME has been **down** in $PLACES since $TIME: $ERROR",
  issueDegraded: "$NAME has been **degraded** since $TIME",
  issueDegradedError: "$NAME has been **degraded** since $TIME: $ERROR",
  issueDegradedIn: "$NAME has been **degraded** in $PLACES since $TIME",
  issueDegradedInError: "$NAME has been **degraded** in $PLACES since $TIME: $ERROR",
  // Comments on what has changed.
  commentNowDown: "**Now down** since $TIME",
  commentNowDownError: "**Now down** since $TIME: $ERROR",
  commentNowDownIn: "**Now down** in $PLACES since $TIME",
  commentNowDownInError: "**Now down** in $PLACES since $TIME: $ERROR",
  commentNowDegraded: "**Answers again, but degraded** since $TIME",
  commentNowDegradedError: "**Answers again, but degraded** since $TIME: $ERROR",
  commentNowDegradedIn: "**Answers again, but degraded** in $PLACES since $TIME",
  commentNowDegradedInError: "**Answers again, but degraded** in $PLACES since $TIME: $ERROR",
  commentDownAgain: "**Down again** since $TIME",
  commentDownAgainError: "**Down again** since $TIME: $ERROR",
  commentDownAgainIn: "**Down again** in $PLACES since $TIME",
  commentDownAgainInError: "**Down again** in $PLACES since $TIME: $ERROR",
  commentDegradedAgain: "**Degraded again** since $TIME",
  commentDegradedAgainError: "**Degraded again** since $TIME: $ERROR",
  commentDegradedAgainIn: "**Degraded again** in $PLACES since $TIME",
  commentDegradedAgainInError: "**Degraded again** in $PLACES since $TIME: $ERROR",
  commentReason: "**The reason has changed** since $TIME",
  commentReasonError: "**The reason has changed** since $TIME: $ERROR",
  commentAcknowledged: "**Acknowledged** by $NAME at $TIME, with the command `ack`.",
  // Errors of sites that several locations check: `down in Rome and Oslo (up in Bonn; no result from Kyiv): timed out`.
  downInPlaces: "down in $PLACES",
  degradedInPlaces: "degraded in $PLACES",
  upInPlaces: "up in $PLACES",
  noResultFromPlaces: "no result from $PLACES",
  "allPlaces.one": "all $COUNT locations",
  "allPlaces.other": "all $COUNT locations",
  // The end of a list of locations, which stands where `$PLACES` does.
  "morePlaces.one": "$COUNT more",
  "morePlaces.other": "$COUNT more",
  // Flapping sites.
  "flapsInHour.one": "$COUNT change in the last hour",
  "flapsInHour.other": "$COUNT changes in the last hour",
  "flapsIn.one": "$COUNT change in the last $TIME",
  "flapsIn.other": "$COUNT changes in the last $TIME",
  issueFlapping: "**Flapping:** $NAME keeps changing state.",
  issueFlappingOften: "**Flapping:** $NAME keeps changing state ($CHANGES).",
  "issueStaysOpen.one":
    "This issue stays open, without further comments, until it has been up in $COUNT run.",
  "issueStaysOpen.other":
    "This issue stays open, without further comments, until it has been up in $COUNT runs in a row.",
  // Dependencies.
  issueSuppressed: "Notifications were suppressed until now: the cause was $NAME.",
  issueSuppressedBack:
    "Notifications were suppressed until now: the cause was $NAME, which is up again.",
  "issueAlsoFailing.one": "**Also failing**, because it depends on this: $LIST.",
  "issueAlsoFailing.other": "**Also failing**, because they depend on it: $LIST.",
  "listAndMore.one": "$LIST, and $COUNT more",
  "listAndMore.other": "$LIST, and $COUNT more",
  // The table of facts, and what follows it.
  factGroup: "Group",
  factCode: "Code",
  factNoAnswer: "no HTTP answer",
  factError: "Error",
  factAttempts: "Attempts",
  "factAttemptsIn.one": "$COUNT in $TIME",
  "factAttemptsIn.other": "$COUNT in $TIME",
  factTooSlow: "$TIME ($LIMIT allowed)",
  factPhases: "Phases",
  factDns: "name look-up $TIME",
  factConnect: "connect $TIME",
  factTls: "TLS $TIME",
  factTtfb: "first byte $TIME",
  factDownload: "download $TIME",
  factSince: "Since",
  factFirstFailure: "First failing attempt",
  factFirstSeen: "First seen",
  factHidden: "(its address is not shown)",
  shortSeconds: "$COUNT s",
  noSchedule: "without a schedule",
  "everySeconds.one": "every second",
  "everySeconds.other": "every $COUNT seconds",
  "everyMinutes.one": "every minute",
  "everyMinutes.other": "every $COUNT minutes",
  "everyHours.one": "every hour",
  "everyHours.other": "every $COUNT hours",
  "everyDays.one": "every day",
  "everyDays.other": "every $COUNT days",
  issueAbout: "**About:** $TEXT",
  issueRunbook: "**Runbook:** $TEXT",
  issueHint: "**Hint:** $TEXT",
  linkHistory: "History of this site",
  linkChecks: "Checks of the day",
  linkIncident: "File of this incident",
  issueFooter:
    "This issue closes by itself when the site is back. Comments of collaborators that begin with $INVESTIGATING, $IDENTIFIED, $MONITORING, $RESOLVED or $POSTMORTEM become its timeline; $COMMAND acknowledges it.",
  // The end of an incident.
  issueGone: "**Resolved:** $NAME is no longer monitored, which ends this incident.",
  issueGoneAfter:
    "**Resolved:** $NAME is no longer monitored, which ends this incident after $TIME.",
  issueUp: "**Resolved:** $NAME is up again.",
  issueUpAfter: "**Resolved:** $NAME is up again after $TIME.",
  issueNormal: "**Resolved:** $NAME is back to normal.",
  issueNormalAfter: "**Resolved:** $NAME is back to normal after $TIME.",
  issueFirstGood: "First good attempt at $TIME.",
  issueFirstGoodAnswer: "First good attempt at $TIME: $ANSWER.",
  issueMaintenanceOver: "**Completed:** the maintenance window ended at $TIME.",
  // Issues that many incidents share.
  "sharedFailing.one": "**$COUNT site** has been failing since $TIME:",
  "sharedFailing.other": "**$COUNT sites** have been failing since $TIME:",
  "sharedFailingOf.one": "**$COUNT site** of $GROUP has been failing since $TIME:",
  "sharedFailingOf.other": "**$COUNT sites** of $GROUP have been failing since $TIME:",
  isDownError: "$NAME is down: $ERROR",
  isDownIn: "$NAME is down in $PLACES",
  isDownInError: "$NAME is down in $PLACES: $ERROR",
  isDegradedError: "$NAME is degraded: $ERROR",
  isDegradedIn: "$NAME is degraded in $PLACES",
  isDegradedInError: "$NAME is degraded in $PLACES: $ERROR",
  isDegradedButDown: "$NAME is degraded, $VOTES",
  "sharedWhy.one":
    "More than $COUNT incident was opened within an hour, so those of a group share an issue. Each one has its own [file]($LINK).",
  "sharedWhy.other":
    "More than $COUNT incidents were opened within an hour, so those of a group share an issue. Each one has its own [file]($LINK).",
  "sharedNow.one": "**Now failing:** $COUNT site.",
  "sharedNow.other": "**Now failing:** $COUNT sites.",
  "sharedNowOf.one": "**Now failing:** $COUNT site of $GROUP.",
  "sharedNowOf.other": "**Now failing:** $COUNT sites of $GROUP.",
  "sharedAgain.one": "**Failing again:** $COUNT site.",
  "sharedAgain.other": "**Failing again:** $COUNT sites.",
  "sharedAgainOf.one": "**Failing again:** $COUNT site of $GROUP.",
  "sharedAgainOf.other": "**Failing again:** $COUNT sites of $GROUP.",
  sharedResolved: "**Resolved:** all sites are up again.",
  sharedResolvedOf: "**Resolved:** all sites of $GROUP are up again.",
  // What people announce, and the forms for it.
  commentPhase: "**$PHASE:** $TEXT",
  announcedOpen: "Opened incident $LINK",
  announcedUpdate: "Updated incident $LINK",
  announcedResolve: "Resolved incident $LINK",
  "announcedStarted.one": "$NAMES is started, and show it in a few minutes.",
  "announcedStarted.other": "$NAMES are started, and show it in a few minutes.",
  formIncident: "Report an incident",
  formIncidentAbout: "An incident that no check found",
  formMaintenance: "Plan maintenance",
  formMaintenanceAbout: "Planned work, without alerts",
  formAccess: "The status page shows it if you have write access to this repository.",
  formSites: "Affected sites",
  formImpact: "Impact",
  formText: "What people should know",
  formStart: "Start",
  formEnd: "End",
  formExpectedDown: "Sites that may be down",
  formExpectedDegraded: "Sites that may be slow",
  formTime: "Such as 2026-11-21 10:00, in the time zone $ZONE",
  formNames: "Names or slugs, separated by commas",
  inputTitle: "New incident: its title",
  inputImpact: "New incident: its impact",
  inputSites: "New incident: affected sites, separated by commas",
  inputUpdate: "To update an incident: the number of its issue",
  inputPhase: "Phase of the update",
  inputResolve: "To resolve an incident: the number of its issue",
  // Hints about an HTTP status.
  hintProxy:
    "A proxy or load balancer answered, and the server behind it did not: look there first.",
  hintNotFound:
    "If the page has moved, change `url`. Some sites also answer 404 if credentials are missing.",
  hintTooMany:
    "The site limits its requests: check less often with `workflowSchedule`. 429 counts as up unless `expectedStatusCodes` or an assertion says otherwise.",
  hintUnavailable:
    "The server rejects requests: it may be overloaded, restarting or under maintenance.",
  hintServerFailed: "The server was reached and failed: look at its log of that time.",
  hintAnsweredBefore: "It answered $CODE until $TIME.",
  hintUpBefore: "It was up until $TIME.",
  hintGoneAnswered: "It answered $CODE until $TIME: the page was moved or removed.",
  hintGone: "It was up until $TIME: the page was moved or removed.",
  hintForbidden:
    "It may want credentials, or the site admits only known IP addresses, or limits its requests.",
  hintForbiddenScope:
    "The credentials may lack a scope, or the site admits only known IP addresses, or limits its requests.",
  hintForbiddenNow:
    "It was up until $TIME: the site now rejects the runner's address or limits its requests.",
  hintForbiddenNowAnswered:
    "It answered $CODE until $TIME: the site now rejects the runner's address or limits its requests.",
  hintForbiddenNowScope:
    "It was up until $TIME: the credentials may have lost a scope, or the site now rejects the runner's address or limits its requests.",
  hintForbiddenNowScopeAnswered:
    "It answered $CODE until $TIME: the credentials may have lost a scope, or the site now rejects the runner's address or limits its requests.",
  hintRunners: "Addresses of hosted runners change; that of a self-hosted runner can be admitted.",
  hintWrongSecret:
    "The credentials were not accepted: $SECRETS may be wrong or expired, or in the wrong place.",
  hintOldSecret: "It was up until $TIME: $SECRETS may have expired or been revoked.",
  hintOldSecretAnswered:
    "It answered $CODE until $TIME: $SECRETS may have expired or been revoked.",
  hintRenew: "Renew an expired token with $COMMAND, or with a workflow.",
  hintSmallLetters:
    "References in small letters are sent as written: if one is a secret, write it as $SECRET, and save it with $COMMAND.",
  hintWritten:
    "The credentials that its configuration contains are not accepted. Write $SECRET in their place, and save new ones with $COMMAND.",
  hintNoSecret:
    "The site asks for credentials, and its configuration refers to no secret: give one in a header, such as $HEADER, and save it with $COMMAND.",
  hintLogin:
    "It was up until $TIME: somebody has put it behind a login, or a proxy rejects the runner.",
  hintLoginAnswered:
    "It answered $CODE until $TIME: somebody has put it behind a login, or a proxy rejects the runner.",
  hintNearSecret:
    "No secret is named $NAME, so $WRITTEN is sent as written. The secret is $SECRET, and names are case-sensitive: write $REFERENCE.",
  hintWrongSyntax:
    "$WRITTEN is sent as written: write the secret as $REFERENCE, and save it with $COMMAND.",
  // Hints about an error.
  hintAuthority:
    "Hosted runners know public authorities only, so it may work on your machine. Give the authority's certificate in `ca` (a file, or PEM in a $SECRET), or accept any with `insecure: true`.",
  hintExpired:
    "Browsers refuse the site until it is renewed. If it is renewed automatically, that failed, or the server has not loaded the new certificate.",
  hintWrongName:
    "The server shows the certificate of other names, often its default one: this name may be missing from its configuration or from the certificate.",
  hintClientCertificate:
    "Give it in `clientCertificate` and `clientKey`: files on a self-hosted runner, or PEM in a $SECRET.",
  hintNoName:
    "The name is not in DNS: look at the domain's registration and records. Names of a private network are known to self-hosted runners only.",
  hintNameServers:
    "The domain's name servers gave no answer: they may be down, or the domain may point to wrong ones.",
  hintNetwork:
    "Hosted runners have no IPv6: a site that has no IPv4 address needs a self-hosted runner.",
  hintRefused:
    "The machine answered, but accepts no connections on this port. If it does elsewhere, a firewall rejects the runner: hosted runners have changing IP addresses.",
  hintNothingBack:
    "Nothing came back: the machine may be off or cut off. If it answers elsewhere, a firewall drops the runner's packets: hosted runners have changing IP addresses.",
  hintDomainExpired:
    "Renew it at its registrar now: for some weeks the former owner alone can still get it back.",
  hintDomainHold:
    "The registrar or the registry has taken it out of DNS: it tells the owner why, often an address that was not confirmed or a bill.",
  hintDomainDeleted: "It will be deleted: restore it at its registrar while that is possible.",
  hintStarttls:
    "Programs that ask for TLS can't use it. If it is meant to speak plain text, set `tls: none`; on port 465 or 993, `tls: implicit`.",
  hintPlainText:
    "Somebody between the runner and the server may have added it, or the server does not follow the protocol.",
  hintNoHealth:
    "It answers gRPC, but does not offer `grpc.health.v1.Health`: add that service to it, or check the port with `tcp-ping`.",
  hintHealthName: "Compare `service` with the names that the server reports the health of.",
  hintNoPing:
    "The machine may be off or cut off. Many hosts and firewalls drop pings: if a port of it is open, `tcp-ping` says more.",
  hintInverted:
    "Something answers where nothing should: look at firewall and access rules, or remove `inverted`.",
  hintSlowServer: "The connection was made, so the network works: the server is slow or stuck.",
} as const;
