import { assertReported, listPlaces, MISTAKES, pick } from "../../helpers/planted_mistakes.ts";

const TEXT = `owner: acme
repo: status
# Who is asked
assignees:
  - amy
  - bob
sites:
  # The first one
  - name: Website
    url: https://example.com
    expectedStatusCodes:
      - 200
      - 301
    maxResponseTime: 5000
  - name: "Shop: the new one"
    url: https://shop.example.com
    method: POST
    headers:
      - "Content-Type: application/json"
      - "Authorization: Bearer $TOKEN"
    body: |
      {"id": "x: y"}
      - not an item
    tags: ["eu", "us"]
  - name: Database
    check: tcp-ping
    url: db.example.com
    port: 5432
notifications:
  - type: slack
    webhook-url: $SLACK
    on: [down, up]
  - type: email
    smtp-host: mail.example.com
    from: monitor@example.com
    to: [ops@example.com]
    on: [down]
status-website:
  cname: status.example.com
  name: Status of Acme
  introTitle: "**Acme** status"
  introMessage: How our services are
  navbar:
    - title: Status
      href: /
    - title: Code
      href: https://github.com/acme/status
workflowSchedule:
  uptime: "*/10 * * * *"
  graphs: "0 0 * * *"
i18n:
  navStatus: Zustand
  noData: keine Daten
`;

Deno.test("a mistake of YAML at any place is reported in its line, and in 19 of 20 places with its cure", async () => {
  for (const [name, mistake] of Object.entries(MISTAKES)) {
    await assertReported(name, pick(listPlaces(TEXT, mistake), 12), 0.95);
  }
});
