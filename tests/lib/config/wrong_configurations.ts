/** What is said of each file in `tests/testdata/config`: how many of its sites can be monitored, and every problem. */
export const WRONG: Readonly<Record<string, [sites: number | "nothing", problems: string[]]>> = {
  "concurrency-not-whole.yml": [1, [
    "error 1:1 concurrency: expected a whole number from 1 to 1000, found 1.5",
  ]],
  "defaults-is-a-list.yml": [1, [
    "error 1:1 defaults: expected a map of keys of sites, found a list",
  ]],
  "duplicate-key.yml": ["nothing", [
    'error 4:5: the key "name" is already set in line 2, column 5: remove one of the two',
  ]],
  "empty.yml": ["nothing", [
    "error 1:1: expected a map with sites:, found nothing",
  ]],
  "foreign-references.yml": [1, [
    'warning 3:5 sites[0].url: "${KEY}" is not replaced and is sent as it stands: a secret is $KEY',
    'warning 4:15 sites[0].headers[0]: "${{ secrets.TOKEN }}" is not replaced and is sent as it stands: a secret is $TOKEN',
    'warning 7:5 notifications[0].webhook-url: "${{ secrets.SLACK_WEBHOOK_URL }}" is not replaced and is sent as it stands: a secret is $SLACK_WEBHOOK_URL',
  ]],
  "header-unquoted.yml": [1, [
    'error 5:9 sites[0].headers[0]: expected a header such as "X-Name: value", found a map: quote it',
  ]],
  "header-without-value.yml": [1, [
    'error 5:9 sites[0].headers[0]: expected "Header-Name: value", found "Authorization"',
  ]],
  "history-is-a-text.yml": [1, [
    'error 1:1 history: expected a map, found "hourly"',
  ]],
  "indentation.yml": ["nothing", [
    'error 3:4: this line is in a list and has no "- ": indent it like the key before it',
  ]],
  "key-of-another-check.yml": [2, [
    "warning 4:5 sites[0].port: has no effect with check: http",
    "warning 9:5 sites[1].headers: has no effect with check: tcp-ping",
    "warning 10:5 sites[1].maxRedirects: has no effect with check: tcp-ping",
  ]],
  "list-at-top.yml": ["nothing", [
    "error 1:1: expected a map with sites:, found a list",
  ]],
  "long-name.yml": [1, [
    'error 2:5 sites[0].name: "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" gives a name for files of over 100 bytes, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" is used; add a short slug: to this site',
  ]],
  "merge-conflict.yml": ["nothing", [
    "error 2:1: a merge conflict is not resolved here",
  ]],
  "missing-name-and-url.yml": [0, [
    "error 2:5 sites[0].url: is missing",
    "error 2:5 sites[0].name: is missing",
    "error 3:5 sites[1].name: is missing",
    "error 4:5 sites[1].url: is missing",
  ]],
  "misspelt-keys.yml": [1, [
    'error 1:1 sitse: unknown key, did you mean "sites"?',
    'error 2:1 ownr: unknown key, did you mean "owner"?',
    "warning 3:1 weather: unknown key, it has no effect",
    'warning 7:5 sites[0].prot: unknown key, did you mean "port"?',
    'warning 8:5 sites[0].expectedStatusCode: unknown key, did you mean "expectedStatusCodes"?',
    "warning 9:5 sites[0].__dangerous__methd: unknown key, it has no effect",
  ]],
  "misspelt-sites.yml": ["nothing", [
    'error 1:1 site: unknown key, did you mean "sites"?',
  ]],
  "name-is-a-list.yml": [1, [
    'error 2:5 sites[0].name: expected a name, found a list: the site is named "example.com"',
  ]],
  "name-without-slug.yml": [2, [
    'error 2:5 sites[0].name: "..." gives no name for files, "example.com" is used; add a short slug: to this site',
    'error 4:5 sites[1].name: expected a name, found "   ": the site is named "example.com"',
    'warning 4:5 sites[1].name: the slug "example.com" is already used by "...", so this site is saved as "example.com-2": give one of the two another slug',
  ]],
  "no-sites.yml": ["nothing", [
    "error 1:1: sites: is missing, the list of what to monitor",
  ]],
  "no-status-codes.yml": [2, [
    "error 4:5 sites[0].expectedStatusCodes: expected at least one status code",
    "error 7:27 sites[1].expectedStatusCodes[0]: expected a status code from 100 to 999, or 0 for no answer, found 99",
    "error 7:31 sites[1].expectedStatusCodes[1]: expected a status code from 100 to 999, or 0 for no answer, found 1000",
    "error 7:37 sites[1].expectedStatusCodes[2]: expected a status code from 100 to 999, or 0 for no answer, found 200.5",
  ]],
  "only-text.yml": ["nothing", [
    'error 1:1: expected a map with sites:, found "just some words"',
  ]],
  "open-list.yml": ["nothing", [
    "error 1:8: the [ that opens here is never closed: ] is missing",
  ]],
  "reserved-character.yml": ["nothing", [
    "error 2:11: a text that starts with @ must be quoted",
  ]],
  "run-deadline-too-short.yml": [1, [
    "warning 1:1 runDeadline: 20 s is no longer than the longest requestTimeout (40 s): a site that hangs would never be found down",
  ]],
  "run-deadline-before-recheck.yml": [1, [
    "warning 1:1 runDeadline: 240 s is no longer than the longest time that successThreshold and recheckDelay ask for (540 s): a site that was down would never be found up",
  ]],
  "same-name.yml": [3, [
    'warning 4:5 sites[1].name: the slug "shop" is already used by "Shop", so this site is saved as "shop-3": give one of the two another slug',
  ]],
  "schedule-backwards.yml": [1, [
    'error 2:3 workflowSchedule.uptime: expected a minute from 0 to 59, found "30-10"',
    'error 3:3 workflowSchedule.responseTime: expected a day of the month from 1 to 31, found "0"',
    'error 4:3 workflowSchedule.graphs: expected a month from 1 to 12, found "13"',
    'error 5:3 workflowSchedule.staticSite: expected a minute from 0 to 59, found "*/0"',
  ]],
  "schedule-too-often.yml": [1, [
    "warning 2:3 workflowSchedule.uptime: asks for a run every 2 minutes, but GitHub starts scheduled workflows no more often than every 5 minutes",
  ]],
  "site-is-a-text.yml": [1, [
    'error 2:5 sites[0]: expected a map with name and url, found "https://example.com"',
  ]],
  "site-is-nothing.yml": [1, [
    "error 2:4 sites[0]: expected a map with name and url, found nothing",
  ]],
  "sites-is-a-map.yml": ["nothing", [
    'error 2:3 sites.A: expected a list of sites, found the key "A": start each site with a hyphen, such as "- name:"',
  ]],
  "sites-is-a-text.yml": ["nothing", [
    'error 1:1 sites: expected a list of sites, found "https://example.com"',
  ]],
  "sites-is-null.yml": [0, [
    "warning 1:1 sites: the list is empty: there is nothing to monitor",
  ]],
  "tab.yml": [0, [
    "error 2:1: a tab does not indent in YAML: use spaces",
  ]],
  "tcp-ping-without-port.yml": [1, [
    "error 2:5 sites[0].port: a tcp-ping check needs a port, such as port: 5432",
  ]],
  "token-in-the-file.yml": [2, [
    "warning 1:1 PAT: has no effect: a token in a file can be read by others: revoke it, and make the new one a secret named HOST_PAT",
    "notice 2:1 delay: has no effect: checks are paced by themselves",
    "notice 6:5 sites[0].verbose: has no effect: the option --verbose and the command check show more",
    "notice 7:5 sites[0].type: has no effect: every check is made from where the program runs",
    "notice 8:5 sites[0].location: has no effect: every check is made from where the program runs",
  ]],
  "two-documents.yml": ["nothing", [
    "error 3:1: a second document starts here, only one can be read",
  ]],
  "unclosed-quote.yml": ["nothing", [
    "error 3:11: the quote that opens here is never closed",
  ]],
  "undefined-alias.yml": ["nothing", [
    'error 2:9: "*base" refers to an anchor &base, which does not exist; a text that starts with * must be quoted',
  ]],
  "unknown-check.yml": [2, [
    'error 4:5 sites[0].check: expected one of http, tcp-ping, ssl, dns, ws, found "minecraft": the check is http instead',
    'error 7:5 sites[1].check: expected one of http, tcp-ping, ssl, dns, ws, found "constructor": the check is http instead',
  ]],
  "unknown-tag.yml": [1, [
    "warning 2:11: the tag !include means nothing here, and is passed over",
  ]],
  "unquoted-asterisks.yml": ["nothing", [
    'error 2:9: "**Bold**" refers to an anchor &*Bold**, which does not exist; a text that starts with * must be quoted',
  ]],
  "unquoted-colon.yml": ["nothing", [
    'error 2:11: a text with ": " in it must be quoted, or this line is indented wrongly',
  ]],
  "url-misspelt-scheme.yml": [0, [
    'error 3:5 sites[0].url: expected an address that starts with https:// or http://, found "hhttps://example.com"',
  ]],
  "url-without-scheme.yml": [1, [
    'notice 3:5 sites[0].url: has no scheme and is read as "http://example.com", as curl does: write https:// before it if the site has it',
  ]],
  "wrong-assertions.yml": [5, [
    'error 6:16 sites[0].assert[1]: expected a comparison such as ==, < or in, found "equals" at character 8; did you mean ==?',
    'error 7:9 sites[0].assert[2]: expected the end, found ""no"" at character 20; a text with blanks or commas has to be quoted',
    "error 8:9 sites[0].assert[3]: expected the end, found \"'s'\" at character 13; a text with blanks or commas has to be quoted",
    'error 9:9 sites[0].assert[4]: expected one of status, body, json, header, responseTime, certificate, found "👍" at character 1',
    'error 10:9 sites[0].assert[5]: expected a comparison such as ==, contains or matches, found "=" at character 6; did you mean ==?',
    'error 11:43 sites[0].assert[6].that: expected a length of time such as 14d, found "14" at character 26; did you mean 14d?',
    'error 12:32 sites[0].assert[7].severty: unknown key, did you mean "severity"?',
    'error 13:32 sites[0].assert[8].severity: expected one of down, degraded, found "fatal"',
    "error 14:9 sites[0].assert[9]: expected an assertion such as 'body contains \"ok\"', found a map: quote it",
    "error 15:9 sites[0].assert[10]: expected an assertion such as 'body contains \"ok\"', found 5",
    'error 16:9 sites[0].assert[11]: expected a comparison such as ==, < or in, found "eqals" at character 8; did you mean ==?',
    "error 24:5 sites[2].__dangerous__body_down: expected a text or a list of texts, found a map",
    "error 25:37 sites[2].__dangerous__body_degraded[1]: expected a text, found a map",
    "warning 30:5 sites[3].assert: has no effect with check: tcp-ping",
    "warning 31:5 sites[3].__dangerous__body_down_if_text_missing: has no effect with check: tcp-ping",
    "error 35:5 sites[4].assert: an answer to HEAD has no body that could be asserted",
  ]],
  "wrong-body.yml": [2, [
    "error 4:5 sites[0].body: expected a text, found a map",
    'error 7:5 sites[1].body: expected a text, found ""',
  ]],
  "wrong-certificates.yml": [4, [
    "error 7:5 sites[1].ca: expected a file or a $SECRET with certificates in PEM, found a list",
    "error 10:5 sites[2].clientCertificate: clientCertificate and clientKey go together",
    "error 13:5 sites[3].clientKey: expected a file or a $SECRET with a key in PEM, found 5",
  ]],
  "wrong-commit-messages.yml": [1, [
    "error 2:3 commitMessages.statusChange: expected a text, found 7",
    'error 3:3 commitMessages.commitAuthorName: expected a text with more in it than < and >, found "<>"',
    'error 4:3 commitMessages.commitAuthorEmail: expected a text with more in it than < and >, found "   "',
    'warning 5:3 commitMessages.statusChnage: unknown key, did you mean "statusChange"?',
    'error 6:1 commitPrefixStatusUp: expected a text, found ""',
    "error 7:1 commitPrefixStatusDown: expected a text, found a list",
    "error 8:1 commitPrefixStatusDegraded: expected a text, found a map",
  ]],
  "wrong-concurrency.yml": [1, [
    "error 1:1 concurrency: expected a whole number from 1 to 1000, found 0",
  ]],
  "wrong-defaults.yml": [1, [
    "warning 2:3 defaults.name: has no effect: each site has its own",
    'error 3:3 defaults.method: expected a method such as GET or POST, found "GET IT"',
    "error 4:3 defaults.maxRedirects: expected a whole number from 0 to 50, found -1",
    'warning 6:3 defaults.header: unknown key, did you mean "headers"?',
  ]],
  "wrong-headers.yml": [3, [
    "error 7:5 sites[1].headers: expected a list of headers, found a map",
    'error 11:15 sites[2].headers[0]: expected a header such as "X-Name: value", found 7',
  ]],
  "wrong-history.yml": [1, [
    'error 2:3 history.commitEvery: expected a length of time from 0 to 1 d, such as 30s or 15m, found "2d"',
    "error 3:3 history.keepDays: expected a whole number from 1 to 36500, found 0.5",
    'warning 4:3 history.commitevery: unknown key, did you mean "commitEvery"?',
    'error 5:3 history.maxGap: expected a length of time from 1 m to 7 d, such as 90m or 4h, found "8d"',
  ]],
  "wrong-heartbeat.yml": [1, [
    "error 1:1 heartbeat-url: expected an address or a $SECRET, found 7",
  ]],
  "wrong-merge.yml": [1, [
    'warning 2:5 sites[0].<<: expected a map, or the alias of one, to merge in, found "base"',
  ]],
  "wrong-method.yml": [3, [
    'error 4:5 sites[0].method: expected a method such as GET or POST, found "GET IT"',
    'error 7:5 sites[1].method: expected a method such as GET or POST, found "CONNECT"',
    "error 10:5 sites[2].method: expected a method such as GET or POST, found a list",
  ]],
  "wrong-notification-mail.yml": [1, [
    "error 3:5 notifications[0].smtp-host: expected a text, found 7",
    "error 4:5 notifications[0].smtp-port: expected a port from 1 to 65535, found 0",
    "error 5:5 notifications[0].smtp-username: expected a text, found a list",
    "error 6:5 notifications[0].smtp-password: expected a text, found 1234",
    "error 7:5 notifications[0].from: expected a text, found a map",
    "error 9:5 notifications[1]: smtp-host, from are missing: email needs them",
    'error 10:5 notifications[1].smtp-port: expected a port from 1 to 65535, found "eighty"',
    "error 11:10 notifications[1].to[0]: expected a text, found 7",
  ]],
  "wrong-notification-rules.yml": [1, [
    'error 3:5 notifications[0].url: expected an address or a $SECRET, found ""',
    "error 4:5 notifications[0].method: expected a text, found 7",
    "error 5:5 notifications[0].headers: expected a map of texts, found a list",
    "error 6:5 notifications[0].body: expected a text, found a map",
    "error 8:5 notifications[0].message-template: expected a text, found a list",
    "error 9:5 notifications[0].min-interval: expected a length of time from 0 to 365 d, such as 30s or 15m, found -1",
    "error 12:5 notifications[1].type: is missing",
  ]],
  "wrong-notification-texts.yml": [1, [
    "error 3:5 notifications[0].webhook-url: expected an address or a $SECRET, found 7",
    "error 4:5 notifications[0].channel: expected a text, found a list",
    "error 6:5 notifications[1].bot-token: expected a text, found a map",
    "error 7:5 notifications[1].chat-id: expected a text, found true",
    "error 9:5 notifications[2].integration-key: expected a text, found 1",
    "error 10:5 notifications[2].severity: expected one of critical, error, warning, info, found a list",
    "error 11:5 notifications[2].component: expected a text, found 5",
    "error 13:5 notifications[3].api-key: expected a text, found 5",
    "error 14:5 notifications[3].site: expected a text, found 7",
  ]],
  "wrong-notifications.yml": [1, [
    'error 2:5 notifications[0].type: expected one of email, webhook, slack, discord, telegram, teams, pagerduty, datadog, found "pigeon"',
    'error 3:5 notifications[1]: expected a map with type, found "slack"',
    "error 4:5 notifications[2].webhook-url: is missing: slack needs it",
    'error 5:14 notifications[2].on[1]: expected one of down, up, degraded, found "sideways"',
    'warning 6:5 notifications[2].chanel: unknown key, did you mean "channel"?',
    'error 10:5 sites[0].notifications: expected a list of notifications, found "email"',
  ]],
  "wrong-owner.yml": [1, [
    "error 1:1 owner: expected a name, found a list",
    "error 2:1 repo: expected a name, found a map",
  ]],
  "wrong-paused.yml": [4, [
    "error 10:5 sites[2].link: expected an address, found a list",
    "error 13:5 sites[3].description: expected a text, found 5",
  ]],
  "wrong-port.yml": [2, [
    'error 5:5 sites[0].port: expected a port from 1 to 65535, found "eighty"',
    "error 9:5 sites[1].port: expected a port from 1 to 65535, found 70000",
  ]],
  "wrong-redirects.yml": [3, [
    "error 4:5 sites[0].maxRedirects: expected a whole number from 0 to 50, found 51",
    'error 7:5 sites[1].maxRedirects: expected a whole number from 0 to 50, found "many"',
    "error 10:5 sites[2].maxRedirects: expected a whole number from 0 to 50, found 0.5",
  ]],
  "wrong-retry.yml": [2, [
    "error 4:26 sites[0].retry.delays[1]: expected a length of time from 0 to 1 h, such as 30s or 15m, found -1",
    'error 4:31 sites[0].retry.jitter: expected a number from 0 to 1, found "lots"',
    'warning 7:14 sites[1].retry.dealys: unknown key, did you mean "delays"?',
  ]],
  "wrong-canary.yml": [1, [
    'error 3:5 canaries[1]: expected a host with a port, such as one.one.one.one:443, found "example.com:99999"',
    'error 4:5 canaries[2]: expected a host with a port, such as one.one.one.one:443, found "example.com:0"',
  ]],
  "wrong-run-deadline.yml": [1, [
    "error 1:1 runDeadline: expected a length of time from 1 ms to 6 h, such as 30s or 15m, found 0",
  ]],
  "wrong-runner.yml": [1, [
    'error 1:11 runner.self-hosted: expected one of default, uptime, responseTime, graphs, site, summary, setup, found "self-hosted"',
  ]],
  "wrong-schedules.yml": [1, [
    'error 2:3 workflowSchedule.uptime: expected five fields such as "*/5 * * * *", found "*/5 * * *"',
    'error 3:3 workflowSchedule.responseTime: expected an hour from 0 to 23, found "24"',
    'error 4:3 workflowSchedule.graphs: expected a minute from 0 to 59, found "60"',
    'error 5:3 workflowSchedule.site: expected a day of the week from 0 to 6, found "MON-FRY"',
    'error 6:3 workflowSchedule.summary: expected five fields such as "*/5 * * * *", found "@daily"',
    'warning 7:3 workflowSchedule.smmary: unknown key, did you mean "summary"?',
  ]],
  "wrong-slug.yml": [2, [
    'error 3:5 sites[0].slug: expected a short name for files such as "-..-etc"',
    'error 6:5 sites[1].slug: expected a text, found ""',
  ]],
  "wrong-status-codes.yml": [2, [
    'error 4:32 sites[0].expectedStatusCodes[1]: expected a status code from 100 to 999, or 0 for no answer, found "often"',
  ]],
  "wrong-pages.yml": [1, [
    "error 2:3 pages.live: expected one of page, repository, off, found false",
    "error 4:37 pages.images[1]: expected a domain such as status.example.com, found 8",
    'warning 6:3 pages.livve: unknown key, did you mean "live"?',
    "error 7:1 status-website: expected a map, found a list",
    'error 9:1 i18n: expected a map of texts, found "English"',
    'error 10:1 skipGeneratingWebsite: expected true or false, found "maybe"',
  ]],
  "wrong-status-website.yml": [1, [
    "error 2:3 status-website.name: expected a text, found a list",
    "error 3:3 status-website.cname: expected a domain such as status.example.com, found 7",
    'warning 4:3 status-website.nmae: unknown key, did you mean "name"?',
    'error 6:3 status-website.logoUrl: expected an address that begins with https://, or the name of a file in assets/, found "java\\tscript:alert(1)"',
    "warning 12:3 status-website.timezone: has no effect: move it to the top level",
    'error 17:7 status-website.navbar[1].href: expected an address that begins with https://, or a path of the page, found "javascript:alert(1)"',
    "error 18:7 status-website.navbar[2].title: is missing",
    'error 20:7 status-website.scripts[0]: expected a map, found "https://example.com/a.js"',
    "error 21:7 status-website.scripts[1].src: expected an address that begins with https://, or a path of the page, found 7",
    'error 22:15 status-website.metaTags.nme: unknown key, did you mean "name"?',
    "error 23:3 status-website.css: expected CSS without </style, which would end it",
    "warning 24:3 status-website.js: $API_KEY is not replaced: the page is public, so it takes no secrets",
    "error 25:3 status-website.customHeadHtml: expected a text, found 7",
  ]],
  "wrong-words.yml": [1, [
    "notice 1:1 i18n: 1 text is not used by this page: errorTitle",
    'warning 4:3 i18n.dwn: unknown key, did you mean "down"?',
    "warning 5:3 i18n.degraded: is empty: the English text is shown",
    "warning 7:3 i18n.checksUpTo: $TIMES is not replaced: did you mean $TIME?; the English text is shown",
    "warning 8:3 i18n.today: $DAY is not replaced: this text takes no placeholders; the English text is shown",
    "error 9:3 i18n.otherSites: expected a text, found a list",
  ]],
  "wrong-tcp-host.yml": [0, [
    'error 4:5 sites[0].url: expected a host, found "db example.com"',
    "error 8:5 sites[1].url: expected a port from 1 to 65535, found 99999",
    'error 11:5 sites[2].url: expected a host, found "https://"',
  ]],
  "wrong-timeouts.yml": [4, [
    "error 1:1 connectTimeout: expected a length of time from 1 ms to 1 h, such as 30s or 15m, found 0",
    'error 5:5 sites[0].connectTimeout: expected a length of time from 1 ms to 1 h, such as 30s or 15m, found "2h"',
    'error 8:5 sites[1].requestTimeout: expected a length of time from 1 ms to 1 h, such as 30s or 15m, found "0s"',
    "error 11:5 sites[2].maxResponseTime: expected a length of time from 1 ms to 1 h, such as 30s or 15m, found 0",
    'error 14:5 sites[3].maxResponseTime: expected a length of time from 1 ms to 1 h, such as 30s or 15m, found "1 fortnight"',
  ]],
  "wrong-times.yml": [1, [
    'error 1:1 maxResponseTime: expected a length of time from 1 ms to 1 h, such as 30s or 15m, found "soon"',
    'error 2:22 retry.delays[1]: expected a length of time from 0 to 1 h, such as 30s or 15m, found "never"',
    "error 2:30 retry.jitter: expected a number from 0 to 1, found 2",
    "error 6:5 sites[0].maxResponseTime: expected a length of time from 1 ms to 1 h, such as 30s or 15m, found -1",
    "error 7:5 sites[0].retry: expected a map with delays and jitter, found 3",
  ]],
  "wrong-top-keys.yml": [1, [
    'error 1:1 concurrency: expected a whole number from 1 to 1000, found "many"',
    "error 2:1 runDeadline: expected a length of time from 1 ms to 6 h, such as 30s or 15m, found a list",
    'error 3:1 commitMessages: expected a map, found "words"',
    'error 4:21 workflowSchedule.uptime: expected five fields such as "*/5 * * * *", found "sometimes"',
    "error 5:19 status-website.cname: expected a domain such as status.example.com, found 7",
  ]],
  "wrong-url.yml": [0, [
    'error 3:5 sites[0].url: expected an address, found ""',
    'error 5:5 sites[1].url: expected an address, found "   "',
    "error 7:5 sites[2].url: expected an address, found a list",
    'error 9:5 sites[3].url: expected an address that starts with https:// or http://, found "https:/example.com"',
    'error 11:5 sites[4].url: expected an address, found "http://example.com:0/"',
    'error 13:5 sites[5].url: expected an address that starts with https:// or http://, found "ftp://example.com"',
    'error 15:5 sites[6].url: expected an address, found "https://exa mple.com"',
  ]],
  "wrong-user-agent.yml": [1, [
    "error 1:1 user-agent: expected a text, found a list",
    'error 5:5 sites[0].userAgent: expected a text, found ""',
  ]],
  "wrong-dns.yml": [6, [
    'error 4:5 sites[0].url: expected a name, found "shop example.com"',
    'error 8:5 sites[1].record: expected one of A, AAAA, CNAME, MX, NS, TXT, SOA, found "PTR"',
    "error 12:5 sites[2].expect: expected at least one text",
    'error 16:5 sites[3].expect: expected an IPv4 address, found "shop.example.com"',
    'error 21:5 sites[4].expect: expected an IPv6 address, found "203.0.113.7"',
    'error 25:5 sites[5].resolver: expected a host such as 9.9.9.9 or 127.0.0.1:5353, found "9.9.9.9:99999"',
    "error 29:5 sites[6].expect: expected a text or a list of texts, found 7",
  ]],
  "wrong-ssl.yml": [4, [
    'error 4:5 sites[0].url: expected a host, found "mail example.com"',
    "error 7:5 sites[1].url: expected a port from 1 to 65535, found 99999",
    "error 11:5 sites[2].expiresWithin: expected a length of time from 0 to 3650 d, such as 30s or 15m, found -1",
    "error 15:5 sites[3].clientKey: clientCertificate and clientKey go together",
    'error 19:5 sites[4].ipv6: expected an IPv6 address in url, found "203.0.113.7"',
    'error 23:5 sites[5].ipv4: expected true or false, found "yes please"',
  ]],
  "wrong-ws.yml": [5, [
    'error 4:5 sites[0].url: expected an address that begins with wss:// or ws://, found "https://example.com/socket"',
    'error 7:5 sites[1].url: expected an address, found "wss://exa mple.com"',
    'error 11:5 sites[2].expect: expected a regular expression, found "/(pong/"',
    "error 15:5 sites[3].clientCertificate: clientCertificate and clientKey go together",
    'error 19:5 sites[4].ipv4: expected an IPv4 address in url, found "2001:db8::1"',
    'error 23:15 sites[5].headers[0]: expected "Header-Name: value", found "Authorization"',
    "warning 27:5 sites[6].method: has no effect with check: ws",
  ]],
  "wrong-proxy.yml": [4, [
    'error 4:5 sites[0].proxy: expected an address that begins with http://, found "socks5://127.0.0.1:1080"',
    'error 7:5 sites[1].proxy: expected an address that begins with http://, found "127.0.0.1:3128"',
    'error 10:5 sites[2].ipv4: expected an IPv4 address in url, found "2001:db8::1"',
    "warning 14:5 sites[3].proxy: has no effect with check: ssl",
  ]],
};
