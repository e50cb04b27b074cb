import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";

const SITES = "sites:\n  - name: A\n    url: https://a.example\n";

/** Mistakes in keys and values, each with all that is reported of it. */
const MISTAKES: readonly [title: string, text: string, reported: string[]][] = [
  [
    "a channel's key in other words",
    `${SITES}notifications:
  - type: slack
    on: [down]
    webhook: $HOOK
`,
    [
      'error:7:5 notifications[0].webhook: unknown key, did you mean "webhook-url"?',
    ],
  ],
  [
    "several keys that a channel needs",
    `${SITES}notifications:
  - type: email
    on: [down]
`,
    [
      "error:5:5 notifications[0].smtp-host: is missing: email needs it",
      "error:5:5 notifications[0].from: is missing: email needs it",
      "error:5:5 notifications[0].to: is missing: email needs it",
    ],
  ],
  ["a site's key in other words", "sites:\n  - name: A\n    ur1: https://a.example\n", [
    'error:3:5 sites[0].ur1: unknown key, did you mean "url"?',
  ]],
  [
    "words of other programs",
    `customCSS: a\ndiscord: a\nhosts: a\n${SITES}    max-time: 5\n    upsideDown: true\n    icmp: true\n`,
    [
      'warning:1:1 customCSS: unknown key, did you mean "css" under status-website?',
      "warning:2:1 discord: unknown key, it has no effect",
      'warning:3:1 hosts: unknown key, did you mean "sites"?',
      'warning:7:5 sites[0].max-time: unknown key, did you mean "requestTimeout"?',
      'warning:8:5 sites[0].upsideDown: unknown key, did you mean "inverted"?',
      'warning:9:5 sites[0].icmp: unknown key, did you mean "check"?',
    ],
  ],
  ["a site's name in other words", "sites:\n  - site: A\n    url: https://a.example\n", [
    'error:2:5 sites[0].site: unknown key, did you mean "name"? The site is named "a.example"',
  ]],
  ["the list in other words", "site:\n  - name: A\n    url: https://a.example\n", [
    'error:1:1 site: unknown key, did you mean "sites"?',
  ]],
  [
    "a heartbeat whose keys can't be used",
    `sites:
  - name: A
    check: heartbeat
    every: 0 3 30 2 *
    variable: BACKUP
    failureThreshold: 2
  - name: B
    check: heartbeat
    every: 0 25 * * *
    variable: heartbeat_b
  - name: C
    check: heartbeat
    every: daily
    file: beats/c
`,
    [
      'error:4:5 sites[0].every: "0 3 30 2 *" never comes',
      'error:5:5 sites[0].variable: expected a name such as HEARTBEAT_BACKUP, found "BACKUP"',
      "warning:6:5 sites[0].failureThreshold: has no effect with check: heartbeat",
      'error:9:5 sites[1].every: expected an hour from 0 to 23, found "25"',
      'error:13:5 sites[2].every: expected a length of time such as 1d, or a schedule of five fields, found "daily"',
    ],
  ],
  ["a schedule without effect", `${SITES}workflowSchedule:\n  updates: 0 3 * * *\n`, [
    "notice:5:3 workflowSchedule.updates: has no effect: workflows are brought up to date when the configuration changes",
  ]],
  ["a key of another check", `${SITES}    port: 80\n`, [
    "warning:4:5 sites[0].port: has no effect with check: http",
  ]],
  [
    "an alias with a wrong value",
    `workflowSchedule:\n  uptime: 0 * * * *\n  staticSite: hourly\n${SITES}`,
    [
      'error:3:3 workflowSchedule.staticSite: expected five fields such as "*/5 * * * *", found "hourly"',
    ],
  ],
  [
    "an alias that runs too often",
    `# ours\nrepo: a\nworkflowSchedule:\n  uptime: 0 * * * *\n  staticSite: "*/2 * * * *"\n${SITES}`,
    [
      "warning:5:3 workflowSchedule.staticSite: runs 2 min apart, but GitHub starts scheduled workflows no more often than every 5 minutes",
    ],
  ],
  ["a day that no month has", `workflowSchedule:\n  graphs: 0 3 31 2 *\n${SITES}`, [
    "warning:2:3 workflowSchedule.graphs: never runs: the five fields are minute, hour, day of the month, month, day of the week",
  ]],
  ["accounts on one line", `${SITES}assignees: bob, amy\n`, [
    'error:4:1 assignees[0]: expected an account, found "bob, amy"',
  ]],
  ["a color without quotes", `${SITES}status-website:\n  accent: #2456d3\n`, [
    'warning:5:3 status-website.accent: #2456d3 is a comment in YAML: write "#2456d3" in quotes',
  ]],
  ["a color for light and dark pages", `${SITES}status-website:\n  accent: "#2456d3"\n`, [
    "notice:5:3 status-website.accent: #2456d3 is hard to read on dark pages: #557cdd is used there",
  ]],
  [
    "colors that are hard to read",
    `${SITES}status-website:\n  accent: { light: ffd400, dark: "#00F" }\n`,
    [
      "notice:5:13 status-website.accent.light: #ffd400 is hard to read on light pages: #8c7400 is used there",
      "notice:5:28 status-website.accent.dark: #0000ff is hard to read on dark pages: #6e6eff is used there",
    ],
  ],
  [
    "a color of a theme that is never light",
    `${SITES}status-website: { theme: ocean, accent: "#2456d3" }\n`,
    [
      "notice:4:33 status-website.accent: #2456d3 is hard to read on dark pages: #6386e0 is used there",
    ],
  ],
  ["an unknown color scheme", `${SITES}status-website: { accent: { drak: "#fff" } }\n`, [
    'error:4:29 status-website.accent.drak: expected light or dark, found "drak"',
  ]],
  ...Object.entries({
    '["#222"]': "found a list",
    "[]": "is empty",
    "{}": "is empty",
    "red-ish": 'found "red-ish"',
  }).map(([value, fault]): [title: string, text: string, reported: string[]] => {
    const kinds =
      'a color as hexadecimal digits in quotes, such as "#2456d3", or a map with light, dark or both';
    const message = fault === "is empty"
      ? `is empty: write ${kinds}`
      : `expected ${kinds}, ${fault}`;
    return [
      `${value} as accent`,
      `${SITES}status-website: { accent: ${value} }\n`,
      [`error:4:19 status-website.accent: ${message}`],
    ];
  }),
  ["a color by another name", `${SITES}status-website: { colour: "#222", accentColor: red }\n`, [
    'warning:4:19 status-website.colour: unknown key, did you mean "accent"?',
    'warning:4:35 status-website.accentColor: unknown key, did you mean "accent"?',
  ]],
  ["a text in place of the links of the footer", `${SITES}status-website: { footer: Bye }\n`, [
    'error:4:19 status-website.footer: expected a list of links with title and href (a text belongs under i18n.footer), found "Bye"',
  ]],
  [
    "a wrong look",
    `${SITES}status-website: { accent: { light: red, dark: "#fff" }, logoDark: a.svg, font: https://a.example/a.woff2 }\n`,
    [
      'error:4:29 status-website.accent.light: expected a color as hexadecimal digits in quotes, such as "#2456d3", found "red"',
      "warning:4:57 status-website.logoDark: has no effect without logoUrl",
      'error:4:74 status-website.font: expected the name of a font in assets/ such as inter.woff2, found "https://a.example/a.woff2"',
    ],
  ],
  ["an unknown name in a path", `${SITES}status-website:\n  baseUrl: $FOO\n`, [
    'error:5:3 status-website.baseUrl: expected a path such as /status, found "$FOO"',
    "warning:5:3 status-website.baseUrl: $FOO is not replaced: the page is public, so it takes no secrets",
  ]],
  [
    "curly quotes around a host",
    `${SITES}  - name: B\n    check: tcp-ping\n    url: “b.example”\n    port: 25\n`,
    [
      'error:6:5 sites[1].url: expected a host, found "“b.example”" with a curly quote (U+201C)',
    ],
  ],
  [
    "a slug that is used",
    `${SITES}    slug: a\n  - name: B\n    url: https://b.example\n    slug: a\n`,
    [
      'warning:7:5 sites[1].slug: the slug "a" is already used by "A", so this site is saved as "a-2": give one of the two another slug',
    ],
  ],
  [
    "an item of another list",
    `${SITES}status-website:\n  navbar:\n    - name: color-scheme\n      content: dark\n`,
    [
      "warning:6:7 status-website.navbar[0].name: unknown key, it has no effect",
      "error:6:7 status-website.navbar[0].title: is missing",
      "error:6:7 status-website.navbar[0].href: is missing",
      "warning:7:7 status-website.navbar[0].content: unknown key, it has no effect",
    ],
  ],
  ["a user without a scheme", "sites:\n  - name: A\n    url: $USER:$PASSWORD@a.example:8080/x\n", [
    'notice:3:5 sites[0].url: has no scheme and is read as "http://$USER:$PASSWORD@a.example:8080/x", as curl does: write https:// before it if the site has it',
  ]],
  ["a value that breaks two rules", `${SITES}    method: ''\n`, [
    'error:4:5 sites[0].method: expected a method such as GET or POST, found ""',
  ]],
  ["other spellings of a header", `${SITES}    user-agent: 7\n`, [
    "error:4:5 sites[0].user-agent: expected a text, found 7",
  ]],
  [
    "Upptime's placeholders",
    `${SITES}commitMessages:\n  statusChange: $EMOJI $PREFIX $SITE_NAME $STATUS\n`,
    [],
  ],
  [
    "a placeholder in a place without placeholders",
    `${SITES}commitMessages:\n  graphsUpdate: New graphs of $REPO\n`,
    [
      "warning:5:3 commitMessages.graphsUpdate: $REPO is not replaced: this text takes no placeholders",
    ],
  ],
  [
    "texts of Upptime's page",
    `${SITES}i18n:\n  up: Oben\n  errorHome: Zurück\n  errorIntro: Fehler\n  loading: Lädt\n  startedAt: Seit\n  operational: Läuft\n`,
    [
      "notice:4:1 i18n: 5 texts are not used: errorHome, errorIntro, loading and 2 more",
    ],
  ],
  [
    "a key of status-website at the top",
    `name: Status\n${SITES}cname: status.example.com\ntheme: dark\nnavbar: []\nlogoUrl: logo.svg\nintroTitle: Hi\n`,
    [
      "warning:1:1 name: has no effect here: move it under status-website",
      "warning:5:1 cname: has no effect here: move it under status-website",
      "warning:6:1 theme: has no effect here: move it under status-website",
      "warning:7:1 navbar: has no effect here: move it under status-website",
      "warning:8:1 logoUrl: has no effect here: move it under status-website",
      "warning:9:1 introTitle: has no effect here: move it under status-website",
    ],
  ],
  ["a top-level key under status-website", `${SITES}status-website:\n  skipTopicsUpdate: true\n`, [
    "warning:5:3 status-website.skipTopicsUpdate: has no effect here: move it to the top level",
  ]],
  ["a site's key at the left margin", `${SITES}port: 80\n`, [
    'warning:4:1 port: has no effect here: it belongs to a site: indent it below the "- name:" of its site',
  ]],
  [
    "a link of the page in other words",
    `${SITES}status-website:\n  navbar:\n    - title: A\n      url: 7\n`,
    [
      "error:7:7 status-website.navbar[0].url: expected an address that starts with https://, or a path of the page, found 7",
    ],
  ],
];

Deno.test("a mistake in keys and values is reported with the names and places of the file", async () => {
  for (const [title, text, reported] of MISTAKES) {
    const { problems } = await parseConfig(text);
    assertEquals(problems.map((one) => formatProblem(one, one.severity)), reported, title);
  }
});
