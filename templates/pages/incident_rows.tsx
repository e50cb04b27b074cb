import { incidentPagePath } from "../../lib/config/page_path.ts";
import { listSlugs } from "../../lib/history/stored_incidents.ts";
import {
  findShownError,
  groupIntoCards,
  type IncidentCard,
  sortUpdates,
} from "../../lib/page/incident_cards.ts";
import { findShownEnd, type ListedIncident } from "../../lib/page/incidents.ts";
import { ErrorText } from "./incident_cards.tsx";
import { Causes, Effects, IncidentLinks } from "./incident_links.tsx";
import { describeCard, describePhase } from "./incident_words.ts";
import { toExcerpt } from "./markdown.tsx";
import { DOT, Lasting, Period, Shape, SiteLinks } from "./parts.tsx";
import type { PageView } from "./view.ts";

interface RowsProps {
  view: PageView;
  /** True if the rows name the days of the incidents. */
  isDated: boolean;
  /** True if the rows have the last update and the error. */
  isFull?: boolean;
}

export function IncidentRows(
  { incidents, ...props }: RowsProps & { incidents: readonly ListedIncident[] },
) {
  return <CardRows cards={groupIntoCards(incidents, props.view.report)} {...props} />;
}

/** Incidents as rows of a list. */
export function CardRows({ cards, ...props }: RowsProps & { cards: readonly IncidentCard[] }) {
  return <ul class="rows">{cards.map((card) => <Row card={card} {...props} />)}</ul>;
}

function Row({ card, view, isDated, isFull = false }: RowsProps & { card: IncidentCard }) {
  const { language, link } = view;
  const { incidents, alike } = card;
  const [[id, incident]] = incidents;
  const words = describeCard(card, view);
  const of = alike === undefined && "slug" in incident && words.stage === "open"
    ? incident.slug
    : undefined;
  const { from, to } = findPeriod(incidents, view);
  const { phase, state = "" } = describePhase(incidents, words, language);
  return (
    <li data-incident={of && id} data-of={of}>
      <Shape of={words.state} />
      <div>
        <p class="what">
          {alike === undefined
            ? (
              <a class="title" dir={words.direction} href={link(incidentPagePath(id))}>
                {words.title}
              </a>
            )
            : <b class="title">{words.title}</b>}
          {words.stage !== "over" && <span class={`pill standing ${state}`.trimEnd()}>{phase}
          </span>}
        </p>
        <div class="muted">
          <Period from={from} to={to} language={language} isDated={isDated} />
          <span class="length">
            {DOT}
            <Lasting words={words} of="length" />
          </span>
          <Names view={view} card={card} />
        </div>
        <Effects view={view} card={card} />
        <Causes view={view} card={card} />
        {isFull && <Details card={card} view={view} />}
      </div>
    </li>
  );
}

/** From the first start to the last end; without an end if one of the incidents is open. */
function findPeriod(incidents: IncidentCard["incidents"], { report }: PageView) {
  const [from] = incidents.map(([, { start }]) => start).sort(Temporal.Instant.compare);
  const ends = incidents.map(([, one]) => findShownEnd(one, report));
  const known = ends.filter((end) => end !== undefined).sort(Temporal.Instant.compare);
  return { from: from!, to: known.length < ends.length ? undefined : known.at(-1) };
}

/** The services of a row, unless its title names them. */
function Names({ view, card: { incidents, alike } }: { view: PageView; card: IncidentCard }) {
  const [[, incident]] = incidents;
  if (alike !== undefined) return [DOT, <IncidentLinks view={view} incidents={incidents} />];
  const slugs = "slug" in incident ? [] : listSlugs(incident);
  return slugs.length > 0 && [DOT, <SiteLinks slugs={slugs} view={view} />];
}

/** Most characters of the last update. */
const LONGEST_TEXT = 200;

function Details(
  { card: { incidents, alike }, view }: { card: IncidentCard; view: PageView },
) {
  const [[, incident]] = incidents;
  const [update] = sortUpdates(incidents);
  const error = alike === "cause" ? "" : findShownError(incident);
  return [
    update !== undefined && <p class="said" dir="auto">{toExcerpt(update.text, LONGEST_TEXT)}</p>,
    error !== "" && (
      <p class="muted">
        <ErrorText error={error} view={view} />
      </p>
    ),
  ];
}
