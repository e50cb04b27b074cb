import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";
import { readChannel } from "../../helpers/channels.ts";
import { TRIED } from "../../helpers/vendors/vendors.ts";

const EVENTS = "down, up, degraded, maintenance, certificate, unknown";
const SITES = "sites: [{ name: Shop, url: https://shop.example }]\n";

Deno.test("report is week, month or both, and what a wrong one means is named", async () => {
  const expected = "expected one of week, month, found";
  const cases: [line: string, report: string[] | undefined, messages: string[]][] = [
    ["report: month", ["month"], []],
    ["report: [week, month]", ["week", "month"], []],
    ["report: weekly", undefined, [
      `4:5 notifications[0].report[0]: ${expected} "weekly", did you mean "week"?`,
    ]],
    ["report: [week, mnth]", ["week"], [
      `4:20 notifications[0].report[1]: ${expected} "mnth", did you mean "month"?`,
    ]],
    ["report: [week, day]", ["week"], [`4:20 notifications[0].report[1]: ${expected} "day"`]],
  ];
  for (const [line, report, messages] of cases) {
    const read = await readChannel(line);
    assertEquals(read.messages, messages.map((message) => `error:${message}`), line);
    assertEquals(read.channels[0]?.report, report, line);
  }
});

Deno.test("wrong texts by kind are reported with the nearest kind, and the right ones are used", async () => {
  const text = `notifications:
  - type: email
    smtp-host: a.example
    from: a@b.example
    to: jo@b.example
    on: [down]
    silent: [up]
    short: true
    message-template:
      down: "$SITE_NAME"
      recovery: x
      up: [1]
      nonsense: a
      subject: { down: "[PROD] $SITE_NAME", up: 7, remindr: a }
  - type: discord
    webhook-url: $DISCORD
    on: [down]
    silent: up, recovery
    message-template: { up: "$SITE_NAME", subject: [a] }
${SITES}`;
  const { config, problems } = await parseConfig(text);
  const kinds = `${EVENTS}, reminder, flapping, acknowledged`;
  assertEquals(
    config!.notifications.map(({ "message-template": texts, silent }) => [texts, silent]),
    [
      [{ down: "$SITE_NAME", subject: { down: "[PROD] $SITE_NAME" } }, ["up"]],
      [{ up: "$SITE_NAME" }, ["up"]],
    ],
  );
  const nth = "notifications[0]";
  assertEquals(problems.map((one) => formatProblem(one, one.severity)).toSorted(), [
    `error:11:7 ${nth}.message-template.recovery: unknown kind of message, did you mean "up"?`,
    `error:12:7 ${nth}.message-template.up: expected a text, found a list`,
    `error:13:7 ${nth}.message-template.nonsense: unknown kind of message: expected one of ${kinds}`,
    `error:14:45 ${nth}.message-template.subject.up: expected a text, found 7`,
    `error:14:52 ${nth}.message-template.subject.remindr: unknown kind of message, did you mean "reminder"?`,
    `error:18:5 notifications[1].silent[1]: expected one of ${kinds}, found "recovery", did you mean "up"?`,
    "error:19:43 notifications[1].message-template.subject: expected a text or a map of texts, found a list",
    `warning:7:5 ${nth}.silent: has no effect with type: email`,
    `warning:8:5 ${nth}.short: has no effect with type: email`,
  ]);
});

Deno.test("channels that can't send without sound or in one line are named, and a subject of another than a mail", async () => {
  const texts = "message-template: { subject: a }";
  const { config, problems } = await parseConfig(
    `notifications:\n${
      TRIED.map(({ notification }) =>
        `  - { ...${
          JSON.stringify(notification("https://a.example"))
        }, silent: [up], short: true, ${texts} }\n`
          .replace("...{", "").replace("}, silent", ", silent")
      ).join("")
    }${SITES}`,
  );
  const types = config!.notifications.map(({ type }) => type);
  const listNamed = (key: string) =>
    problems.filter(({ path }) => path.at(-1) === key).map(({ path }) => types[Number(path[1])]!);
  const silent = types.filter((type) => !listNamed("silent").includes(type));
  assertEquals(silent.toSorted(), ["discord", "ntfy", "pushover", "telegram"]);
  const long = ["datadog", "incident-io", "jsm", "pagerduty", "twilio", "webhook"];
  assertEquals(listNamed("short").toSorted(), long);
  assertEquals(listNamed("subject"), types);
});

Deno.test("a webhook whose body takes only one event causes a warning", async () => {
  const grouped = "group-notifications: true";
  const warning =
    "warning:4:5 notifications[0].group-notifications: one request is sent for each " +
    "event: use $EVENTS (a JSON list) or $SUMMARY in body to send one for a group";
  const cases: [lines: string[], messages: string[]][] = [
    [[grouped, 'body: \'{"text": "$SITE_NAME"}\''], [warning]],
    [[grouped, "method: GET"], [warning]],
    [[grouped, "body: '{\"events\": $EVENTS}'"], []],
    [[grouped, "body: $SUMMARY"], []],
    [[grouped], []],
    [["body: $SITE_NAME"], []],
  ];
  for (const [lines, expected] of cases) {
    assertEquals((await readChannel(...lines)).messages, expected, lines.join());
  }
});
