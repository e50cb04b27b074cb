import { assertEquals } from "@std/assert";
import { parseSecretsContext } from "../../../lib/io/secrets/secrets_file.ts";
import { UPPTIME_SECRETS, upptimeChannels } from "../../../lib/config/upptime/channels.ts";
import { interpolate } from "../../helpers/runner/expressions.ts";
import { ACTION, jobOf, madeWorkflow } from "../../helpers/made_workflows.ts";

Deno.test("every secret that makes a channel by its name alone is handed over with auto", () => {
  const asked = new Set<string>();
  for (const missing of ["", "NOTIFICATION_EMAIL_TO", "NOTIFICATION_EMAIL_FROM"]) {
    const channels = upptimeChannels((name) => {
      asked.add(name);
      return name === missing ? "" : "1";
    });
    for (const [, name] of JSON.stringify(channels).matchAll(/"\$(NOTIFICATION_\w+)"/g)) {
      asked.add(name!);
    }
  }
  assertEquals([...asked].sort(), [...UPPTIME_SECRETS].sort());
});

Deno.test("whatever is in a secret, the program gets it as it is, and nothing of one that is not set", async () => {
  const { steps } = jobOf(await madeWorkflow("uptime", { secrets: ["A", "B", "C"] }));
  const text = steps.find(({ uses }) => uses === ACTION)!.env!["SECRETS_CONTEXT"]!;
  const secrets = { A: 'a"b\n{}\\ ${{ x }}', B: "", HOST_PAT: "other" };
  assertEquals(parseSecretsContext(interpolate(text, { secrets })), { A: secrets.A });
});
