import { fill, lang, now, settings } from "./page.js";

export const number = (value) => new Intl.NumberFormat(lang).format(value);

const plurals = new Intl.PluralRules(lang);
export const selectForm = (forms, count) => forms[plurals.select(count)] ?? forms.other;
export const fillCount = (forms, count, values) =>
  fill(selectForm(forms, count), { COUNT: number(count), ...values });

// Adds a sentence to what is announced.
export const announce = (text) => now.changes += `${fill(settings.line.sentence, { TEXT: text })} `;
