import { assertEquals } from "@std/assert";
import { REPOSITORY, settingsWith } from "../../helpers/own_settings.ts";

/** A repository that is not on GitHub's own host. */
const ELSEWHERE = "https://git.acme.example/acme/status";

/** The settings that `status-website` makes. */
const ofWebsite = (keys: Record<string, unknown>) => settingsWith({ "status-website": keys });

Deno.test("a page without configuration has the repository's name, and the address that GitHub Pages gives it", async () => {
  const { name, address, base, lang, direction, theme, links, showsName, footer } =
    await settingsWith();
  assertEquals([name, address, base], ["acme/status", "https://acme.github.io/status", "/status/"]);
  assertEquals([lang, direction, theme, showsName, footer], ["en", "ltr", "auto", true, undefined]);
  assertEquals(links, [{ title: "GitHub", href: "https://github.com/acme/status" }]);
});

Deno.test("without a known repository, a page has no address, no base and no links", async () => {
  const { name, address, base, links } = await settingsWith({}, {});
  assertEquals({ name, address, base, links }, {
    ...{ name: "Status", address: undefined, base: undefined, links: [] },
  });
});

Deno.test("a page with an unknown address has the configured path", async () => {
  const website = { "status-website": { baseUrl: "up//x/" } };
  const { address, base } = await settingsWith(website, { repository: ELSEWHERE });
  assertEquals([address, base], [undefined, "/up/x/"]);
});

Deno.test("a custom domain is converted to Punycode", async () => {
  const { cname, address, base } = await ofWebsite({ cname: "Größe.example", baseUrl: "/up" });
  assertEquals(cname, "xn--gre-6ka8i.example");
  assertEquals([address, base], ["https://xn--gre-6ka8i.example/up", "/up/"]);
});

Deno.test("navigation links expand placeholders, link into the page, and rename its overview", async () => {
  const { links, messages } = await ofWebsite({
    navbar: [
      { title: "Accueil", href: "/" },
      { title: "Again", href: "https://acme.github.io/status/" },
      { title: "Code", href: "https://github.com/$OWNER/$REPO/issues", target: "_blank" },
      { title: "Shop", href: "/status/history/shop" },
      { title: "Mail", href: "mailto:ops@acme.example" },
    ],
  });
  assertEquals(messages.navStatus, "Accueil");
  assertEquals(links, [
    { title: "Code", href: "https://github.com/acme/status/issues", target: "_blank" },
    { title: "Shop", href: "history/shop" },
    { title: "Mail", href: "mailto:ops@acme.example" },
  ]);
});

Deno.test("the repository is linked if no other links are configured, or if requested", async () => {
  const titles = async (keys: Record<string, unknown>) =>
    (await ofWebsite(keys)).links.map(({ title }) => title);
  const navbar = [{ title: "Home", href: "https://acme.example" }];
  assertEquals(await titles({}), ["GitHub"]);
  assertEquals(await titles({ navbarGitHub: false }), []);
  assertEquals(await titles({ navbar }), ["Home"]);
  assertEquals(await titles({ navbar, navbarGitHub: true }), ["Home", "GitHub"]);
});

Deno.test("a link that contains $OWNER or $REPO is left out if the repository is unknown", async () => {
  const navbar = [{ title: "Code", href: "https://github.com/$OWNER/$REPO" }];
  const { links } = await settingsWith({ "status-website": { navbar } }, {});
  assertEquals(links, []);
});

Deno.test("images in the repository's assets are loaded from the page itself", async () => {
  const raw = "https://raw.githubusercontent.com/Acme/Status";
  const same = [
    `${raw}/main/assets/logo.svg`,
    `${raw}/refs/heads/main/assets/logo.svg`,
    "https://github.com/acme/status/blob/main/assets/logo.svg?raw=true",
    "https://acme.github.io/status/logo.svg",
    ...["/logo.svg", "./logo.svg", "assets/logo.svg", "/status/logo.svg"],
  ];
  for (const logoUrl of same) {
    const { logo, policy } = await ofWebsite({ logoUrl });
    assertEquals(logo, "logo.svg", logoUrl);
    assertEquals(policy, (await settingsWith()).policy);
  }
  const other = "https://raw.githubusercontent.com/acme/other/main/assets/logo.svg";
  assertEquals((await ofWebsite({ logoUrl: other })).logo, other);
});

Deno.test("an accent is the nearest color that is readable on the cards of the theme", async () => {
  const accent = async (keys: Record<string, unknown>) => {
    const { accent: { light, dark } } = await ofWebsite(keys);
    return [light, dark];
  };
  assertEquals(await accent({}), [undefined, undefined]);
  assertEquals(await accent({ accent: "#2456d3" }), ["#2456d3", "#557cdd"]);
  assertEquals(await accent({ accent: { dark: "FD0" } }), [undefined, "#ffdd00"]);
  assertEquals(await accent({ accent: "#2456d3", theme: "ocean" }), [undefined, "#6386e0"]);
  assertEquals(await accent({ accent: "#2456d3", theme: "light" }), ["#2456d3", undefined]);
});

Deno.test("a font is a path in the page, whether or not its folder is named", async () => {
  const fonts = ["inter.woff2", "/inter.woff2", "assets/inter.woff2", "./assets/inter.woff2"];
  for (const font of fonts) assertEquals((await ofWebsite({ font })).font, "inter.woff2", font);
});

Deno.test("without a logo the name is shown, whatever is hidden", async () => {
  const shown = async (keys: Record<string, unknown>) => {
    const { logo, showsName } = await ofWebsite({ logoUrl: "logo.svg", ...keys });
    return [logo, showsName];
  };
  assertEquals(await shown({}), ["logo.svg", true]);
  assertEquals(await shown({ hideNavTitle: true }), ["logo.svg", false]);
  assertEquals(await shown({ hideNavTitle: true, hideNavLogo: true }), [undefined, true]);
});

Deno.test("the page's language is its own, else that of its texts, else the common one, with its direction", async () => {
  const of = async (keys: Record<string, unknown>) => {
    const { lang, direction } = await settingsWith(keys);
    return `${lang} ${direction}`;
  };
  const swedish = { locale: "sv-SE", up: "Funkar" };
  assertEquals(await of({ language: "ar" }), "ar rtl");
  assertEquals(await of({ i18n: swedish, language: "ar" }), "sv-SE ltr");
  assertEquals(await of({ i18n: swedish, pages: { lang: "AR_eg" } }), "ar-EG rtl");
  assertEquals(await of({ i18n: { up: "פעיל" }, pages: { lang: "he-IL" } }), "he-IL rtl");
});

Deno.test("Upptime's i18n words are accepted without their colored squares, and the footer with its placeholders", async () => {
  const { messages, footer } = await settingsWith({
    i18n: {
      up: "🟩 Funkční",
      down: "🟥",
      degradedPerformance: "🟨 Omezené",
      footer: "[Källkod]($REPO) av $OWNER",
      navStatus: "Stav",
    },
    "status-website": { navbar: [{ title: "Status", href: "/" }] },
  });
  assertEquals([messages.up, messages.down, messages.degradedService], [
    "Funkční",
    "🟥",
    "Omezené",
  ]);
  assertEquals(messages.navStatus, "Stav");
  assertEquals(footer, "[Källkod](https://github.com/acme/status) av acme");
});

Deno.test("fresh states are read from the page's folder, from the repository, or not at all", async () => {
  const live = async (keys: Record<string, unknown>, repository = REPOSITORY) =>
    (await settingsWith(keys, { repository })).live?.summary;
  assertEquals(await live({}), "summary.json");
  assertEquals(await live({ pages: { live: "off" } }), undefined);
  const repository = { pages: { live: "repository" } };
  const raw = "https://raw.githubusercontent.com/acme/status/HEAD/history/summary.json";
  assertEquals(await live(repository), raw);
  const mirror = { ...repository, "status-website": { userContentBaseUrl: "https://m.example/" } };
  assertEquals(await live(mirror), "https://m.example/acme/status/HEAD/history/summary.json");
  assertEquals(await live(repository, ELSEWHERE), "summary.json");
});

Deno.test("states are late one commit interval plus three check intervals after the last update", async () => {
  const late = async (keys: Record<string, unknown>) =>
    (await settingsWith(keys)).live?.lateMinutes;
  assertEquals(await late({}), 75);
  const often = { workflowSchedule: { uptime: "*/10 * * * *" }, history: { commitEvery: 0 } };
  assertEquals(await late(often), 30);
});
