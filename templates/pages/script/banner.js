// A banner in somebody's own site while something is wrong. What is dismissed stays so until the state changes, or the
// tab is closed. The style is in a shadow tree, and in no element, so that strict policies allow it.
const page = new URL(".", document.currentScript.src).href;

const element = (name, properties, ...content) => {
  const one = Object.assign(document.createElement(name), properties);
  one.append(...content);
  return one;
};

// Rules of the site for its own elements don't apply to an element of another name, and others lose against `:host`.
const host = element("status-banner", { role: "status", id: page });
const root = host.attachShadow({ mode: "open" });
const style = new CSSStyleSheet();
style.replaceSync(
  ":host{all:unset!important}div{all:initial;color-scheme:inherit;position:fixed;z-index:99999;inset:auto 1pc 1pc;display:flex;align-items:center;margin:auto;max-width:42pc;padding:8px 1pc;background:light-dark(#fdf2dd,#2b210e);border:2px solid #d97706;border-radius:1pc;color:light-dark(#14181d,#e9edf2);font:15px/1.5 system-ui;overflow-wrap:anywhere}.down{background:light-dark(#fdecec,#311719);border-color:#d92f3a}span{flex:1}a{color:inherit}button{all:unset;outline:revert;padding:0 14px;line-height:40px}@media print{div{display:none}}",
);
root.adoptedStyleSheets = [style];

let shown = "";
let store = {};
try {
  store = sessionStorage;
} catch {
  // The site keeps nothing.
}

const show = ({ state, title, line, name, close, lang, dir, until }) => {
  const text = new Date(until) > new Date() ? title + line : "";
  if (store[page] !== text) delete store[page];
  const wanted = store[page] ? "" : text;
  if (wanted === shown) return;
  shown = wanted;
  const box = element(
    "div",
    { className: state, lang, dir },
    element(
      "span",
      {},
      element("b", {}, title),
      ` ${line} `,
      element("a", { href: page, target: "_blank" }, name),
    ),
    element("button", {
      ariaLabel: close,
      onclick() {
        box.remove();
        shown = "";
        store[page] = text;
      },
    }, "✕"),
  );
  root.replaceChildren(...wanted ? [box] : []);
};

const refresh = async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(page + "embed.json", { cache: "no-cache", credentials: "omit" });
    show(await answer.json());
  } catch {
    // The banner stays as it is.
  }
};

// A site may have the script twice, or run it anew for each of its views.
if (!document.getElementById(page)) {
  // The body may be missing yet, or be replaced.
  document.documentElement.append(host);
  addEventListener("visibilitychange", refresh);
  setInterval(refresh, 3e5);
  refresh();
}
