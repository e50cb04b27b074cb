import { linksOf, PAGE_PATHS } from "../../lib/config/page_path.ts";
import type { Page, View } from "./page.ts";
import { Layout } from "./layout/layout.tsx";

/** What is shown in place of a page that is not there. */
export const notFound: Page = {
  *files(view) {
    yield [PAGE_PATHS.notFound, <NotFound view={view} />];
  },
};

function NotFound({ view }: { view: View }) {
  const { language: { say }, settings } = view;
  const path = PAGE_PATHS.notFound;
  const title = say("notFoundTitle");
  return (
    <Layout view={view} path={path} title={title} description={say("notFoundText")}>
      <section class="hero unknown">
        <h1>{title}</h1>
        <p class="times">{say("notFoundText")}</p>
      </section>
      <p class="all">
        <a href={linksOf(path, settings.base)(PAGE_PATHS.overview)}>{say("notFoundBack")}</a>
      </p>
    </Layout>
  );
}
