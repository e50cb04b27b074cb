import { assert, assertEquals } from "@std/assert";
import { Secrets } from "../../../../lib/io/secrets/secrets.ts";
import { redactMarkup, redactTexts } from "../../../../lib/page/redact.ts";

const SITE = { slug: "shop", name: "s3cret", links: [{ href: "https://a.example/?k=s3cret" }] };
const PAGE = '<p title="s3cret">s3cret</p>';

Deno.test("a page of a run with secrets shows none, and one of a run without is not even copied", () => {
  const { redactor } = new Secrets({ TOKEN: "s3cret" });
  assertEquals(redactTexts(SITE, redactor).links, [{ href: "https://a.example/?k=***" }]);
  assertEquals(redactMarkup(PAGE, redactor), '<p title="***">***</p>');
  const nothing = new Secrets().redactor;
  assert(redactTexts(SITE, nothing) === SITE);
  assertEquals(redactMarkup(PAGE, nothing), PAGE);
});
