import { assertEquals } from "@std/assert";
import { httpServer } from "../../helpers/servers.ts";
import { observe } from "../../helpers/sites.ts";

Deno.test("no text of a body is repeated without keepBody: lengths, types, numbers and named headers are", async () => {
  const body = JSON.stringify({
    ...{ token: "s3cret-1", list: ["s3cret-2", 7], map: { "s3cret-3": { ok: "s3cret-4" } } },
    ...{ ok: false, none: null, empty: "", count: 5, quota: "80", pin: "1234" },
  });
  const headers = { "X-Version": "1.4", "X-Other": "s3cret-5" };
  await using server = httpServer(() => new Response(body, { headers }));
  const cases: [assertion: string, found: string][] = [
    ['body contains "nothing"', `a body of ${body.length} characters`],
    ['body not contains "token"', `a body of ${body.length} characters`],
    ["body matches /s3cret-9/", `a body of ${body.length} characters`],
    ["body not matches /s3cret.*/", `a body of ${body.length} characters`],
    ["body < 5", `a body of ${body.length} characters, which is not a number`],
    ["json $ == 1", "a map of 9 keys"],
    ["json $.token == 1", "a text of 8 characters"],
    ["json $.token in 1, 2..3", "a text of 8 characters"],
    ["json $.token not exists", "a text of 8 characters"],
    ["json $.token > 3", "a text of 8 characters, which is not a number"],
    ["json $.list contains other", "a list of 2 items"],
    ["json $.list[*] == 7", "a text of 8 characters at $.list[0]"],
    ["json $.map == 7", "a map of 1 key"],
    ["json $.map.*.ok == up", "a text of 8 characters at $.map.*.ok"],
    ["json $.ok == true", "a boolean"],
    ["json $.none == true", "null"],
    ["json $.empty == full", "a text of 0 characters"],
    ["json $.count > 6", "5"],
    ["json $.count == up", "5"],
    ["json $.quota > 90", '"80"'],
    ["json $.quota in 85..90, 95", '"80"'],
    ['json $.pin == "4321"', "a text of 4 characters"],
    ['header x-version == "2"', '"1.4"'],
  ];
  for (const [assertion, found] of cases) {
    for (const severity of ["down", "degraded"]) {
      const keys = { url: server.url, assert: [{ that: assertion, severity }] };
      const reason = `${assertion}: found ${found}`;
      const { failure, degradation } = await observe(keys);
      assertEquals(
        [failure?.reason, degradation],
        severity === "down" ? [reason, undefined] : [undefined, reason],
      );
    }
  }
  const steps = [{ url: "/", contains: "nothing" }];
  assertEquals(
    (await observe({ url: server.url, steps })).failure?.reason,
    `step 1 (GET /): body contains "nothing": found a body of ${body.length} characters`,
  );
  const { details } = await observe({
    url: server.url,
    assert: cases.map(([assertion]) => assertion),
  }, { detailed: true });
  assertEquals(
    JSON.stringify(details!.assertions!.map(({ found }) => found)).includes("s3"),
    false,
  );
});
