import about from "./style/about.css" with { type: "text" };
import base from "./style/base.css" with { type: "text" };
import incidents from "./style/incidents.css" with { type: "text" };
import live from "./style/live.css" with { type: "text" };
import overview from "./style/overview.css" with { type: "text" };
import print from "./style/print.css" with { type: "text" };
import site from "./style/site.css" with { type: "text" };

/** The one style sheet of all pages. */
export const STYLE = [base, live, overview, incidents, about, site, print].join("");
