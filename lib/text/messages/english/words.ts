/** Single words and figures that stand on several pages. */
export const COMMON_WORDS = {
  locale: "en",
  up: "Operational",
  degraded: "Degraded",
  down: "Down",
  maintenance: "Maintenance",
  unknown: "No data",
  paused: "Paused",
  noData: "no data",
  navStatus: "Status",
  navIncidents: "Incidents",
  navMaintenance: "Maintenance",
  navAbout: "About the numbers",
  navGitHub: "GitHub",
} as const;
