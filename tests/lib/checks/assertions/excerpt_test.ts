import { assert, assertEquals } from "@std/assert";
import { excerpt, vicinity } from "../../../../lib/checks/assertions/apply.ts";

Deno.test("only what surrounds an excerpt is redacted, however long the answer is", () => {
  const key = "k3y-0123456789";
  const redact = (text: string) => text.replaceAll(key, "***");
  const long = `${" ".repeat(99_999)}${"a ".repeat(300_000)}`;
  const bodies: [body: string, place?: string][] = [
    [`${long} before ${key} needle ${key} after ${long}`, "needle"],
    [`${long}needle`, "needle"],
    [`needle${long}`, "needle"],
    [`${long}${key}`],
    [`${key} ${long}`, "absent"],
    ["short", "or"],
    [""],
  ];
  for (const [body, place] of bodies) {
    const near = vicinity(body, place);
    assert(near.length <= 70_000, `${near.length}`);
    assertEquals(excerpt(redact(near), place), excerpt(redact(body), place));
  }
});
