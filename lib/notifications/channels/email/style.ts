import type { ToldEvent } from "../../tell.ts";

/** The state of a site as a mail shows it: a word, and a colour for light and for dark. */
export interface Tint {
  word: string;
  light: string;
  dark: string;
}

/** Every colour has a contrast of at least 4.5 to the card it stands on. */
export const TINTS: Readonly<Record<ToldEvent["event"]["kind"], Tint>> = {
  down: { word: "Down", light: "#b42318", dark: "#ff8a80" },
  degraded: { word: "Degraded", light: "#8a5300", dark: "#f5b942" },
  up: { word: "Up", light: "#18794e", dark: "#5dd39e" },
  notice: { word: "Notice", light: "#8a5300", dark: "#f5b942" },
  test: { word: "Test", light: "#1f5fbf", dark: "#8ab4f8" },
};

const tints = Object.entries(TINTS);
const light = tints.map(([kind, { light }]) =>
  `.${kind} .state{color:${light}}.${kind} .edge{background:${light}}`
);
const dark = tints.map(([kind, { dark }]) =>
  `.${kind} .state{color:${dark}!important}.${kind} .edge{background:${dark}!important}`
);

/**
 * Styles of a mail. Programs that know none of them show tables of black text on white; those that know
 * no `prefers-color-scheme` show the light colours, or turn them by themselves.
 */
export const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;background:#f2f4f7;-webkit-text-size-adjust:100%}
table{border-collapse:separate;border-spacing:0}
td{font:15px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;color:#1d2939;vertical-align:top}
.back{background:#f2f4f7}
.page{width:100%;max-width:600px}
.space{padding:24px 12px}
.title{padding:0 4px 16px;font-size:20px;line-height:1.3;font-weight:600}
.card{width:100%;background:#fff;border:1px solid #d5dae1;border-radius:8px;overflow:hidden}
.gap{height:12px;font-size:0;line-height:12px}
.edge{width:5px;font-size:0;border-radius:7px 0 0 7px}
.inside{padding:16px 18px;overflow-wrap:anywhere;word-break:break-word}
.state{font-size:13px;font-weight:600}
.name{margin:2px 0 6px;font-size:18px;line-height:1.3;font-weight:600}
.told{margin:0}
.time{white-space:nowrap}
.facts{margin-top:12px;width:100%}
.facts td{padding:6px 0;border-top:1px solid #e4e7ec;font-size:14px;overflow-wrap:anywhere;word-break:break-word}
.facts .label{width:104px;padding-right:12px;color:#5b6675;overflow-wrap:normal;word-break:normal}
.links{margin-top:14px}
.link{display:inline-block;margin:4px 8px 0 0;padding:7px 14px;border:1px solid #b6bfcb;border-radius:6px;color:#1d2939;font-size:14px;font-weight:600;text-decoration:none}
.end{padding:16px 4px 0;font-size:13px;color:#5b6675;overflow-wrap:anywhere}
.end a{color:#5b6675}
${light.join("\n")}
@media (prefers-color-scheme:dark){
body,.back{background:#14171c!important}
td,.link{color:#e8ebef!important}
.card{background:#1e232a!important;border-color:#39414c!important}
.facts td{border-color:#39414c!important}
.facts .label,.end,.end a{color:#a8b1bd!important}
.link{border-color:#5a6573!important}
${dark.join("\n")}
}
`.trim();
