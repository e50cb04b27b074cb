import { assertEquals } from "@std/assert";
import { groupPages } from "../../../templates/pages/groups.tsx";
import { eachPage } from "../../../templates/pages/mod.ts";
import { overview } from "../../../templates/pages/overview.tsx";
import { elementsOf, wordsOf } from "../../helpers/html.ts";
import { filesOf } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";

function textsOf(html: string, wanted: string): string[] {
  return elementsOf(html, wanted).map(wordsOf);
}

Deno.test("groups have their order, who operates them, and a line about them; others don't change the headline", async () => {
  const view = await worldView("others down");
  const pages = new Map(eachPage(view, [overview, groupPages]));
  const [first, stripe] = ["index.html", "group/stripe/index.html"].map((path) => pages.get(path)!);
  assertEquals(textsOf(first!, "h1").concat(textsOf(first!, ".line")), [
    "All systems operational",
    "Stripe, operated by others, is down.",
  ]);
  assertEquals(textsOf(first!, "h3").slice(1, 5), [
    "Machines",
    "Public",
    "Stripe",
    "Other services",
  ]);
  const about = "Card payments in our shop. Refunds take longer while it is down.";
  assertEquals(textsOf(first!, ".note"), [
    "What other programs and <b>partners</b> use.",
    "What our customers use.",
    `Operated by others · ${about}`,
  ]);
  assertEquals(textsOf(stripe!, "h1"), ["Stripe Major outage"]);
  assertEquals(textsOf(stripe!, ".muted").slice(0, 1), [`Operated by others · ${about}`]);
  const favicon = filesOf(view).get("favicon.svg");
  assertEquals(favicon, filesOf(await worldView("all up")).get("favicon.svg"));
});
