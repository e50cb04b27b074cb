import { all, element, find, settings } from "./page.js";

// Copies the text beside a button, or selects it where that is not allowed.
export const copy = async (button) => {
  const text = find("code", button.parentNode);
  try {
    await navigator.clipboard.writeText(text.textContent);
  } catch {
    return getSelection().selectAllChildren(text);
  }
  const label = button.textContent;
  if (label === settings.copied) return;
  button.ariaLive = "polite";
  button.textContent = settings.copied;
  setTimeout(() => button.textContent = label, 2e3);
};

// Style sheets that another page has and this one lacks.
const loadStyles = (page, resolve) => {
  const own = all("link[rel=stylesheet]");
  const lacking = all("link[rel=stylesheet]", page).map(resolve)
    .filter((href) => own.every((one) => one.href !== href));
  return Promise.all(lacking.map((href) =>
    new Promise((onload) => {
      const onerror = onload;
      own[0].after(Object.assign(element("link"), { rel: "stylesheet", href, onload, onerror }));
    })
  ));
};

// Shows the page to which a link leads as a dialog: of its parts only the one that the link names.
export const subscribe = async (link) => {
  const leave = () => location.assign(link.href);
  const resolve = (one) => new URL(one.getAttribute("href"), link.href).href;
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) return leave();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    await loadStyles(page, resolve);
    const main = find("main", page);
    for (const one of all("a", main)) one.href = resolve(one);
    const part = page.getElementById(decodeURIComponent(link.hash.slice(1)))?.closest("details");
    if (part) {
      part.open = true;
      find(".parts", main).remove();
      find("section", main).before(part);
    }
    if (!find("dialog")) open(link, main);
  } catch {
    leave();
  }
};

const open = (link, main) => {
  const close = element("button", "close", settings.close);
  const dialog = element("dialog", "", element("div", "", ...main.childNodes, close));
  dialog.tabIndex = -1;
  dialog.setAttribute("aria-labelledby", "subscribe");
  let pressed;
  dialog.addEventListener("pointerdown", ({ target }) => pressed = target);
  dialog.addEventListener("click", ({ target }) => {
    if (target === close || target === dialog && pressed === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    link.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  // The first control has the focus otherwise, and the next key would open something.
  dialog.focus();
};
