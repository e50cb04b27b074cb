import { sayError } from "../../lib/evaluation/location_words.ts";
import { PHASE_KEYS } from "../../lib/incidents/phase_words.ts";
import { incidentPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import { isOfSite } from "../../lib/history/stored_incidents.ts";
import type { Update } from "../../lib/history/yaml_file.ts";
import {
  findShownError,
  groupIntoCards,
  type IncidentCard,
  listCardSlugs,
  sortUpdates,
} from "../../lib/page/incident_cards.ts";
import type { ListedIncident } from "../../lib/page/incidents.ts";
import type { State } from "../../lib/state.ts";
import { shorten } from "../../lib/text/plain_text.ts";
import { formatTime } from "../../lib/time.ts";
import type { Content } from "./html.ts";
import { describeCard, describePhase } from "./incident_words.ts";
import { Causes, Effects, IncidentLinks } from "./incident_links.tsx";
import { toExcerpt } from "./markdown.tsx";
import { DOT, Lasting, Period, SiteLink, SiteLinks, Time } from "./parts.tsx";
import type { PageView } from "./view.ts";

/** Most cards that are shown at first; a single one more is not folded. */
const MOST_SHOWN = 5;

/** Incidents that are open, as cards: the first ones, up to `most` folded, and the number of the others. */
export function ActiveIncidents({ view, incidents, most = Infinity, of }: {
  view: PageView;
  incidents: readonly ListedIncident[];
  most?: number;
  /** The site whose page it is: the headline says what is wrong with it. */
  of?: string;
}) {
  if (incidents.length === 0) return null;
  const { language, link } = view;
  const cards = groupIntoCards(incidents, view.report);
  const rest = cards.length - most;
  const end = cards.length > MOST_SHOWN + 1 ? MOST_SHOWN : cards.length;
  const more = cards.length - end;
  return (
    <section class="active">
      <h2>{language.say("activeIncidents")}</h2>
      <Cards view={view} cards={cards.slice(0, end)} of={of} />
      {more > 0 && (
        <details class="fold" id="m-active" data-count={more}>
          <summary>{language.say("moreIncidents", { COUNT: more })}</summary>
          <Cards view={view} cards={cards.slice(end, most)} of={of} />
          {rest > 0 && (
            <p>
              <a href={link(PAGE_PATHS.incidents)}>
                {language.say("andMore", { COUNT: rest })}
              </a>
            </p>
          )}
        </details>
      )}
    </section>
  );
}

function Cards(
  { view, cards, of }: { view: PageView; cards: readonly IncidentCard[]; of?: string },
) {
  return (
    <ul class="incidents">
      {cards.map((card) =>
        isOwnCard(card, of) ? <OwnCard view={view} card={card} /> : <Card view={view} card={card} />
      )}
    </ul>
  );
}

interface CardProps {
  view: PageView;
  card: IncidentCard;
}

function Card({ view, card }: CardProps) {
  const { language, report } = view;
  const { incidents, alike } = card;
  const words = describeCard(card, view);
  const { phase, state } = describePhase(incidents, words, language);
  const [[id]] = incidents;
  const start = incidents.map(([, one]) => one.start).sort(Temporal.Instant.compare)[0]!;
  const isDated = language.dateOf(start) !== language.dateOf(report.time);
  return (
    <CardFrame
      state={words.state}
      title={alike === undefined ? titleLink(id, words, view) : words.title}
      counted={words.counted}
      pill={{ text: phase, state }}
    >
      <div class="muted">
        <Lasting words={words} of="lasting" />
        {DOT}
        <bdi>
          <Period from={start} language={language} isDated={isDated} />
        </bdi>
        <Names view={view} card={card} />
      </div>
      <Said view={view} id={id} updates={sortUpdates(incidents)} />
      <Causes view={view} card={card} />
      <Effects view={view} card={card} />
      <Finding view={view} card={card} />
    </CardFrame>
  );
}

function isOwnCard({ incidents: [[, incident]], alike }: IncidentCard, of?: string): boolean {
  return alike === undefined && isOfSite(incident) && incident.slug === of;
}

/** A card with what people say about the incident of a page's site, and with what else it affects. */
function OwnCard({ view, card }: CardProps) {
  const { incidents } = card;
  const [[id]] = incidents;
  const words = describeCard(card, view);
  const { phase } = describePhase(incidents, words, view.language);
  const [slug] = listCardSlugs(card);
  const title = (
    <a href={view.link(incidentPagePath(id))}>
      <b data-incident={id} data-of={slug}>{phase}</b>
    </a>
  );
  return (
    <CardFrame state={words.state} title={title}>
      <Said view={view} id={id} updates={sortUpdates(incidents)} />
      <Causes view={view} card={card} />
      <Effects view={view} card={card} />
    </CardFrame>
  );
}

export function CardFrame({ state, title, counted, pill, children }: {
  state: State;
  title: Content;
  counted?: string;
  /** `starts` is the time of maintenance that is ahead. */
  pill?: { text: string; state?: State; starts?: Temporal.Instant };
  children: Content;
}) {
  return (
    <li class={`incident ${state}`}>
      <div class="what">
        <h3 class="title" data-counted={counted}>{title}</h3>
        {pill && (
          <span
            class={`pill ${pill.state ?? ""}`.trimEnd()}
            data-starts={pill.starts && formatTime(pill.starts)}
          >
            {pill.text}
          </span>
        )}
      </div>
      {children}
    </li>
  );
}

export function titleLink(
  id: string,
  { title, direction }: { title: string; direction?: "auto" },
  { link }: PageView,
): Content {
  return <a dir={direction} href={link(incidentPagePath(id))}>{title}</a>;
}

/** The services of a card: each of several with a link to its own incident. */
function Names({ view, card: { incidents, alike } }: CardProps) {
  if (alike !== undefined) {
    return [DOT, <IncidentLinks view={view} incidents={incidents} />];
  }
  const [[id, incident]] = incidents;
  if ("slug" in incident) {
    return [
      DOT,
      <span data-incident={id} data-of={incident.slug}>
        <SiteLink slug={incident.slug} view={view} />
      </span>,
    ];
  }
  const slugs = incident.kind === "manual" ? incident.sites : [];
  return slugs.length > 0 && [DOT, <SiteLinks slugs={slugs} view={view} />];
}

/** Most characters of errors, of the newest update and of earlier ones, and most earlier ones. */
const LONGEST_TEXT = 300;
const MOST_EARLIER = 10;

/** Updates by people, the newest first; the earlier ones are folded. */
export function Said(
  { view, id, updates }: { view: PageView; id: string; updates: readonly Update[] },
) {
  const { language, link, report } = view;
  const today = language.dateOf(report.time);
  const timeOf = ({ at }: Update) => (
    <Time at={at} language={language} of={language.dateOf(at) === today ? "clock" : "moment"} />
  );
  const [newest, ...earlier] = updates;
  if (newest === undefined) return null;
  const rest = earlier.length - MOST_EARLIER;
  return [
    <p class="said">
      <span dir="auto">{toExcerpt(newest.text, LONGEST_TEXT)}</span> {timeOf(newest)}
    </p>,
    earlier.length > 0 && (
      <details id={`e-${id}`}>
        <summary>{language.say("earlierUpdates", { COUNT: earlier.length })}</summary>
        <ol class="rail">
          {earlier.slice(0, MOST_EARLIER).map((one) => (
            <li>
              <p>
                <b>{language.say(one.phase === undefined ? "update" : PHASE_KEYS[one.phase])}</b>
                {" "}
                {timeOf(one)}
              </p>
              <p dir="auto">{toExcerpt(one.text, LONGEST_TEXT)}</p>
            </li>
          ))}
        </ol>
        {rest > 0 && (
          <p>
            <a href={link(incidentPagePath(id))}>
              {language.say("moreUpdates", { COUNT: rest })}
            </a>
          </p>
        )}
      </details>
    ),
  ];
}

/** How the monitor knows: the number of attempts, and the error. */
function Finding({ view, card: { incidents, alike } }: CardProps) {
  const { say } = view.language;
  const [[, incident]] = incidents;
  if (!("attempts" in incident) || alike === "cause") return null;
  const { attempts } = incident;
  const error = findShownError(incident);
  return (
    <p class="muted finding">
      {alike === "error" ? say("sameError") : say("attempts", { COUNT: attempts })}
      {error !== "" && [DOT, <ErrorText error={error} view={view} />]}
    </p>
  );
}

/** An error of the monitor, with words in any direction; a range of status codes stays on one line. */
export function ErrorText(
  { error, view, most = LONGEST_TEXT }: { error: string; view: PageView; most?: number },
) {
  const parts = shorten(sayError(error, view.language.base), most).split(/(\b\d{3}-\d{3}\b)/);
  return (
    <code dir="auto">
      {parts.map((part, index) => index % 2 === 0 ? part : <span class="whole">{part}</span>)}
    </code>
  );
}
