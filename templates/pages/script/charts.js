import { all, element, find } from "./page.js";
import { slide } from "./slider.js";

// The cells of a row of a table, with the heads of their columns.
const rowCard = ([first, ...cells], heads) => {
  const [time, states] = first.childNodes;
  const title = element("b", "", time.textContent.trim());
  const state = states ? [element("p", "", find("span", first).cloneNode(true))] : [];
  const values = cells.flatMap(({ textContent }, index) =>
    textContent ? element("p", "", `${heads[index + 1]} `, element("b", "", textContent)) : []
  );
  return [title, ...state, ...values];
};

// Places in the commands of a path: runs of a start, and steps from one to the next.
const readPlaces = (text) =>
  text.split("M").slice(1).flatMap((run) => {
    const [start, steps] = run.split("l");
    let [x, y] = start.split(" ").map(Number);
    const others = steps?.split(" ").map((step) => {
      const [right, down] = step.split(",");
      return [x += +right, y += +down];
    });
    return [start.split(" "), ...(others ?? [])];
  });

// Charts are sliders over the rows of their tables, so that a reading can't differ from them. `data-at` has the places
// of the rows and of their medians, in units of the chart.
const readCharts = () => {
  for (const reader of all(".reader[data-at]")) {
    const table = find("table", reader.closest("figure"));
    const places = readPlaces(reader.dataset.at);
    const heads = all("thead th", table).map(({ textContent }) => textContent);
    const rows = all("tbody tr", table);
    slide(reader, {
      label: reader.ariaLabel,
      points: places.map(([x]) => x / 500),
      stops: rows.flatMap((row, index) => find("a", row) ? index : []),
      cardOf: (index) => {
        reader.style.setProperty("--level", (places[index][1] ?? -99) / 440);
        return rowCard([...rows[index].cells], heads);
      },
    });
  }
};

statusPage.readCharts = readCharts;
readCharts();
