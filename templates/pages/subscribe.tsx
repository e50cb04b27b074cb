import { besidePage, PAGE_PATHS, toFileAddress } from "../../lib/config/page_path.ts";
import { listFeedPlaces } from "../feeds/places.ts";
import type { Content } from "./html.ts";
import { feedsId } from "./feed_links.tsx";
import { Layout } from "./layout.tsx";
import type { Page, PageView } from "./view.ts";

/** The page about feeds, which the script also shows as a dialog: only what is of the page that opens it. */
export const subscribe: Page = ({ settings }) =>
  settings.hasSubscribe ? [[PAGE_PATHS.subscribe, Subscribe]] : [];

function Subscribe(view: PageView) {
  const { language: { say } } = view;
  const [title, description] = [say("subscribe"), say("subscribeIntro")];
  const [whole, ...parts] = listFeedPlaces(view);
  return (
    <Layout view={view} title={title} description={description}>
      <h1 id="subscribe">{title}</h1>
      <p class="muted">{description}</p>
      <section>
        <h2>{say("allSites")}</h2>
        <Ways view={view} page={whole!.page} />
      </section>
      {parts.length > 0 && (
        <details class="parts">
          <summary>{say("subscribeParts")}</summary>
          {parts.map(({ name, page }) => (
            <details class="part">
              <summary dir="auto">{name}</summary>
              <div id={feedsId(page)}>
                <Ways view={view} page={page} />
              </div>
            </details>
          ))}
        </details>
      )}
    </Layout>
  );
}

/** The ways to subscribe to the feeds beside a page. */
function Ways({ view, page }: { view: PageView; page: string }) {
  const { language: { say }, settings: { address, watched }, link } = view;
  const { atom, rss, jsonFeed, calendar } = PAGE_PATHS;
  const to = (file: string) => link(besidePage(page, file));
  const absolute = (file: string) => address && toFileAddress(address, besidePage(page, file));
  const command = absolute(rss) && `/feed subscribe ${absolute(rss)}`;
  return (
    <ul class="card ways">
      <Way title={say("feedTitle")} action={<a class="button" href={to(atom)}>{say("open")}</a>}>
        {say("feedHelp")} · <a href={to(rss)}>RSS</a> · <a href={to(jsonFeed)}>JSON</a>
      </Way>
      {command && (
        <Way title="Slack" action={<button type="button" class="copy">{say("copy")}</button>}>
          <code dir="ltr">{command}</code>
        </Way>
      )}
      {page === PAGE_PATHS.overview && watched !== undefined && (
        <Way
          title={say("mailTitle")}
          action={<a class="button" href={watched}>{say("navGitHub")}</a>}
        >
          {say("mailHelp")}
        </Way>
      )}
      <Way
        title={say("calendarTitle")}
        action={
          <a
            class="button"
            href={absolute(calendar)?.replace(/^https?:/, "webcal:") ?? to(calendar)}
          >
            {say("calendarAdd")}
          </a>
        }
      >
        {say("calendarHelp")} · <a href={to(calendar)}>{calendar}</a>
      </Way>
    </ul>
  );
}

function Way({ title, action, children }: { title: string; action: Content; children: Content }) {
  return (
    <li>
      <h3>{title}</h3>
      {action}
      <p class="muted">{children}</p>
    </li>
  );
}
