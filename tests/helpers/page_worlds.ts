import { ENGLISH } from "../../lib/text/english.ts";
import { HOSTILE } from "./hostile_page.ts";
import type { PastSite, Trouble } from "./page_history.ts";
import { viewOf, type World } from "./page_world.ts";

const site = (name: string, past: Omit<PastSite, "slug"> = {}, keys = {}) => ({
  keys: {
    name,
    url: `https://${name.toLowerCase().replaceAll(/\W+/g, "-")}.example.com/`,
    ...keys,
  },
  past,
});

const REFUSED = "connection refused (203.0.113.7:443)";

const TIMELINE = [
  "Investigating: Payments **fail** for some of you.",
  "Identified: The bank's [interface](https://example.com/) does not answer.\n\n- cards\n- transfers",
  "Monitoring: They have mended it; `503` is gone.",
];

const down = (hoursAgo: number, changes: Partial<Trouble> = {}): Trouble => ({
  hoursAgo,
  error: "expected status 200-399, found 503 Service Unavailable",
  issue: 12,
  ...changes,
});

const slow = (hoursAgo: number, changes: Partial<Trouble> = {}): Trouble =>
  down(hoursAgo, { kind: "degraded", error: "took 1,240 ms, more than 800 ms", ...changes });

const shops = [
  site("Website", {}, { group: "Public", description: "What everybody sees first", icon: "🌍" }),
  site("Shop", { troubles: [down(80, { minutes: 35 })] }, { group: "Public" }),
  site("API", { takes: 60 }, {
    group: "Machines",
    icon:
      `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1"/></svg>`,
  }),
  site("Mail", { takes: 300 }, { group: "Machines" }),
];

/** Some outages over a year, the same ones for the same number. */
function yearOf(index: number): PastSite["troubles"] {
  return Array.from(
    { length: index % 5 },
    (_, turn) =>
      (turn % 2 === 0 ? down : slow)(30 + 24 * (60 * turn + 13 * index % 55), {
        minutes: 7 + 11 * turn + index,
      }),
  );
}

/** Open incidents of a page in trouble: three sites are down, and one is slow. */
const OPEN = [
  down(1.5, { updates: TIMELINE }),
  down(1, { error: "connection refused (203.0.113.7:5672)" }),
  down(0.2, { error: "no answer within 30 s" }),
  slow(3),
];

function many(count: number, days: number, { inTrouble = false } = {}): World {
  const groups = ["Website", "Payments", "Interfaces", "Inside", undefined];
  const isIll = (index: number) => inTrouble && index < OPEN.length;
  return {
    sites: Array.from(
      { length: count },
      (_, index) =>
        site(`Service ${index + 1}`, {
          days,
          takes: 40 + 13 * (index % 29),
          troubles: [...yearOf(index) ?? [], ...isIll(index) ? [OPEN[index]!] : []],
        }, { group: groups[Math.floor(groups.length * index / count)] }),
    ),
  };
}

const SHORT = { hoursAgo: 2, minutes: 3, error: "no answer within 30 s" };

const TEXTS: World = {
  sites: [
    site("x".repeat(5000), { troubles: [down(2, { error: "y".repeat(3000) })] }, {
      slug: "one-word",
    }),
    site("many words ".repeat(450), {}, { slug: "words", group: "g".repeat(500) }),
    site("Ein Donaudampfschifffahrtsgesellschaftskapitänsmützenhersteller", {}, {
      group: "Ünïcode 🙂",
      description: "d".repeat(2000),
    }),
  ],
  maintenance: [{
    name: "m".repeat(3000),
    from: 5,
    until: 6,
    sites: ["words"],
    text: "t".repeat(5000),
  }],
  manual: [{
    name: "n".repeat(3000),
    hoursAgo: 3,
    text: "w".repeat(5000),
    updates: ["u".repeat(5000)],
  }],
  settings: {
    name: "z".repeat(1000),
    links: [{ title: "l".repeat(300), href: "https://example.com/" }],
  },
};

/** Sites that several locations check: some of them fail, one is late, and one has sent nothing yet. */
const LOCATIONS: World = {
  sites: [
    site("Shop", {
      days: 60,
      takes: 120,
      troubles: [
        slow(0.6, {
          error:
            `down in São Paulo (up in Frankfurt and Virginia; no result from Sydney): ${REFUSED}`,
        }),
        down(200, { minutes: 40, error: `down in all 4 locations: ${REFUSED}` }),
      ],
      locations: [
        { name: "Frankfurt", takes: 45 },
        { name: "Virginia", takes: 120 },
        { name: "São Paulo", takes: 210, failing: { hours: 0.6, error: REFUSED } },
        { name: "Sydney", takes: 340, days: 20, silentHours: 7 },
      ],
    }, { description: "Where people buy" }),
    site("API", {
      days: 60,
      takes: 160,
      troubles: [
        down(1.5, {
          error:
            `down in Frankfurt am Main, Virginia, São Paulo, Sydney, Tokyo and 1 more (up in Mumbai; no result from Cape Town): ${REFUSED}`,
        }),
      ],
      locations: [
        ["Frankfurt am Main (Hetzner)", 60],
        ["Virginia", 90],
        ["São Paulo", 140],
        ["Sydney", 230],
        ["東京", 180],
        ["Singapore", 200],
        ["Mumbai", 160],
        ["Cape Town", 260],
        ["Stockholm", 70],
        ["Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch", 75],
      ].map(([name, takes], index) => ({
        name: String(name),
        takes: Number(takes),
        ...index < 6 ? { failing: { hours: 1.5, error: REFUSED } } : {},
        ...index === 7 ? { days: 0 } : {},
      })),
    }),
    site("Mail", { takes: 300 }),
  ],
};

const ARABIC: World = {
  sites: [
    site("المتجر", {
      locations: [
        { name: "فرانكفورت", takes: 60 },
        { name: "Virginia", takes: 130 },
        { name: "ساو باولو", takes: 220, failing: { hours: 1, error: REFUSED } },
      ],
    }, { slug: "shop" }),
    site("API", { troubles: [down(2)] }, { group: "خدمات" }),
  ],
  manual: [{ name: "الدفع بطيء", hoursAgo: 40, minutes: 90, text: "البنك لا يجيب" }],
  settings: {
    lang: "ar",
    direction: "rtl",
    name: "حالة الخدمات",
    timezone: "Asia/Riyadh",
    messages: {
      ...ENGLISH,
      allSystemsOperational: "جميع الأنظمة تعمل",
      partialOutage: "انقطاع جزئي",
      liveStatus: "الحالة",
      checksUpTo: "آخر فحص $TIME",
      pageBuilt: "بُنيت الصفحة $TIME",
      up: "يعمل",
      down: "متوقف",
      navStatus: "الحالة",
      navIncidents: "الحوادث",
      navMaintenance: "الصيانة",
    },
  },
};

/** The worlds of page tests, by their situation. */
export const WORLDS = {
  "all up": { sites: shops },
  "others down": {
    sites: [
      site("Stripe", { troubles: [down(1)] }, { group: "Stripe" }),
      ...shops,
      site("Search", {}),
    ],
    top: {
      groups: [
        { name: "Machines", description: "What other programs and <b>partners</b> use." },
        { name: "Public", description: "What our customers use." },
        {
          name: "Stripe",
          external: true,
          description: "Card payments in our shop. Refunds take longer while it is down.",
        },
      ],
    },
  },
  degraded: { sites: [...shops, site("Search", { troubles: [slow(3)] })] },
  "partial outage": {
    sites: [
      ...shops,
      site("Payments", { troubles: [down(1.5, { updates: TIMELINE, affects: ["checkout"] })] }),
      site("Checkout", { troubles: [down(1.4)] }),
      site("Search", { troubles: [slow(30, { minutes: 200 }), slow(3)] }),
    ],
  },
  "everything down": {
    sites: ["Website", "Shop", "API", "Mail", "Search"].map((name) =>
      site(name, { troubles: [down(0.5)] })
    ),
  },
  "one error": {
    sites: [
      ...["Website", "Shop", "API", "Mail", "Search", "Accounts"].map((name, index) =>
        site(name, {
          troubles: [down(0.5 + index / 150, { updates: index === 0 ? TIMELINE : [] })],
        })
      ),
      site("Wiki"),
    ],
  },
  "one cause": {
    sites: [
      site("Router", {
        troubles: [
          down(2, { error: REFUSED, affects: ["shop", "checkout"], updates: TIMELINE }),
          down(100, { minutes: 50, affects: ["shop"] }),
        ],
      }),
      ...["Shop", "Checkout"].map((name) =>
        site(name, { troubles: [down(1.9, { cause: "2026-11-21-router", error: "timed out" })] })
      ),
      ...["Letters", "Parcels"].map((name, index) =>
        site(name, {
          troubles: [down(3 + index, { cause: "db.example.com:5432", error: "timed out" })],
        })
      ),
      site("Wiki"),
    ],
  },
  maintenance: {
    sites: [site("Router", { inMaintenance: true }), ...shops],
    top: {
      maintenance: [{ name: "Backup", start: "2026-11-22T02:00", duration: "1h", sites: ["Shop"] }],
    },
    maintenance: [
      {
        name: "New router",
        from: -1,
        until: 2,
        sites: ["router"],
        text: "We **move**.",
        updates: TIMELINE,
      },
      { name: "Database", from: 26, until: 28, sites: ["shop", "api"] },
      { name: "Old one", from: -90, until: -88, end: -88.5, sites: ["mail"] },
    ],
  },
  unchecked: { sites: ["Website", "Shop"].map((name) => site(name, { days: 0 })) },
  nothing: { sites: [] },
  "one site": { sites: [site("Website", { days: 400, troubles: [down(700, { minutes: 5 })] })] },
  paused: {
    sites: [
      ...shops,
      site("Old", {}, { paused: true }),
      site("New", { days: 0 }, { paused: true }),
    ],
  },
  silent: { sites: shops.map((one) => ({ ...one, past: { ...one.past, silentHours: 50 } })) },
  locations: LOCATIONS,
  "long texts": TEXTS,
  arabic: ARABIC,
  hostile: HOSTILE,
  "busy weeks": {
    sites: [
      site("Cards", {
        days: 400,
        keptDays: 30,
        takes: 230,
        troubles: [
          down(1.45, { updates: TIMELINE, affects: ["checkout"] }),
          down(24 * 64, { minutes: 76 }),
          slow(24 * 71, { minutes: 90 }),
          down(24 * 120, { minutes: 4 }),
          down(24 * 200, { minutes: 400 }),
        ],
      }, { group: "Payments", slo: 99.9 }),
      site("Checkout", { troubles: [down(1.4)] }, { group: "Payments" }),
    ],
    top: {
      groups: [{ name: "Payments", description: "Cards, invoices and what is behind them." }],
    },
  },
  past: {
    sites: shops.map((one, index) => ({
      ...one,
      past: {
        days: 200,
        troubles: Array.from(
          { length: 15 },
          (_, turn) =>
            (turn % 3 === 0 ? slow : down)(40 + 300 * turn + 60 * index, {
              minutes: 10 + 5 * turn,
            }),
        ),
      },
    })),
    manual: [
      {
        name: "Payments are slow",
        hoursAgo: 50,
        minutes: 300,
        sites: ["shop"],
        text: "The **bank**.",
        updates: TIMELINE,
      },
      {
        name: "Letters are late",
        hoursAgo: 2,
        text: "The post is on strike.",
        updates: TIMELINE.slice(0, 1),
      },
    ],
  },
  "first day": {
    sites: [
      site("Website", { days: 0.25 }),
      site("Shop", { days: 0.25, troubles: [SHORT] }),
      site("API", { days: 0.25 }),
    ],
  },
  "fourth day": {
    sites: [
      site("Website", { days: 3.25 }),
      site("Shop", { days: 3.25, troubles: [SHORT] }),
      site("API", { days: 3.25 }),
    ],
  },
  ages: {
    sites: [4, 31, 400].map((days) =>
      site(`Service of ${days} days`, { days, troubles: [down(50, { minutes: 90 })] })
    ),
  },
  "3 sites": many(3, 365),
  "3 sites in trouble": many(3, 365, { inTrouble: true }),
  "20 sites": many(20, 365),
  "20 sites in trouble": many(20, 365, { inTrouble: true }),
  "200 sites": many(200, 100),
  "200 sites in trouble": many(200, 100, { inTrouble: true }),
} satisfies Record<string, World>;

/** Name of a world. */
export type WorldName = keyof typeof WORLDS;

/** All of them, in their order: those that are quick to look at first. */
export const WORLD_NAMES = Object.keys(WORLDS) as WorldName[];

const views = new Map<WorldName, ReturnType<typeof viewOf>>();

/** The view of a world, made once. */
export function worldView(name: WorldName) {
  return views.getOrInsertComputed(name, () => viewOf(WORLDS[name]));
}
