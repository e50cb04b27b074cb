import { all, element, find, isPlainKey, remember, settings, showTimes } from "./page.js";
import { isNarrow, readStrips } from "./strips.js";

// Runs something after the second script, which is loaded when it is needed first.
let loading;
export const useMore = (then, otherwise) => {
  loading ??= new Promise((onload, onerror) => {
    document.head.append(Object.assign(element("script"), { src: settings.more, onload, onerror }));
  });
  // A failure is tried again by the next one.
  return loading.then(then, () => {
    loading = undefined;
    otherwise?.();
  });
};

let stored;

// Shows the controls, with the period of the address or of the last visit, and with the filter of the address.
export const start = () => {
  const query = new URLSearchParams(location.search);
  try {
    stored = query.get("window") ?? localStorage.window;
  } catch {
    // It is not kept here.
  }
  const usual = isNarrow() ? "month" : "quarter";
  const input = find(`#w-${/^\w+$/.test(stored) && stored}:enabled`) ?? find(`#w-${usual}`);
  if (input) input.checked = true;
  for (const one of all(".find,.windows")) one.hidden = false;
  const field = find(".find");
  if (field) {
    field.value = query.get("q");
    find(".chips").hidden = find("[data-only=problems]").hidden;
  }
  readStrips();
  const { showAgain } = globalThis.statusPage ?? {};
  if (showAgain) showAgain();
  else if (field?.value || input && input.id !== `w-${usual}`) {
    // What moves is shown once it is where it stays.
    const services = find("#services");
    services?.classList.add("waits");
    useMore(() => statusPage.showAgain()).then(() => services?.classList.remove("waits"));
  }
  showTimes();
};

addEventListener("change", ({ target }) => {
  if (target.name !== "window") return;
  stored = target.id.slice(2);
  remember("window", stored);
  useMore(() => statusPage.showPeriod());
});
for (const type of ["input", "click", "focusin", "pointerover"]) {
  addEventListener(type, ({ target }) => {
    if (target.closest?.(".bar")) {
      useMore(() => /input|click/.test(type) && statusPage.filter(target));
    }
  });
}
// Links that open a dialog stay links for whoever wants another window, or has no second script.
addEventListener("click", (event) => {
  const place = event.target.closest?.(".copy,.subscribe:not([aria-current])");
  if (!place || !isPlainKey(event) || event.shiftKey) return;
  event.preventDefault();
  useMore(
    () => statusPage[place.classList[0]](place),
    () => place.href && location.assign(place.href),
  );
});
addEventListener("keydown", (event) => {
  const { key, target } = event;
  const field = find(".find");
  if (!field || !isPlainKey(event)) return;
  if (key === "Escape" && target === field) {
    field.value = "";
    useMore(() => statusPage.filter(field));
  }
  if (key === "/" && !target.matches("input:not([type=radio]),textarea,select,[contenteditable]")) {
    event.preventDefault();
    field.focus();
  }
});
