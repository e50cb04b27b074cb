/** Marks of letters, as names of entities have them: `&eacute;` is an e with an acute accent. */
const MARKS: Readonly<Record<string, string>> = {
  ...{ acute: "\u0301", grave: "\u0300", circ: "\u0302", uml: "\u0308", tilde: "\u0303" },
  ...{ cedil: "\u0327", caron: "\u030c", ring: "\u030a", breve: "\u0306", ogon: "\u0328" },
  ...{ macr: "\u0304", dot: "\u0307", dblac: "\u030b" },
};
const MARKED = new RegExp(`^([A-Za-z])(${Object.keys(MARKS).join("|")})$`);

/** Named entities without marks: characters, and their names after them. */
const NAMED = new Map(
  ("\t Tab,\n NewLine,! excl,\" quot QUOT,# num,$ dollar,% percnt,& amp AMP,' apos,( lpar,) rpar," +
    "* ast midast,+ plus,. period,/ sol,: colon,; semi,< lt LT,= equals,> gt GT,? quest,@ commat," +
    "[ lsqb lbrack,\\ bsol,] rsqb rbrack,^ Hat,_ lowbar UnderBar,` grave DiacriticalGrave," +
    "{ lcub lbrace,| verbar vert VerticalLine,} rcub rbrace,\u00a0 nbsp,¡ iexcl,¢ cent,£ pound," +
    "¤ curren,¥ yen,¦ brvbar,§ sect,¨ uml die,© copy COPY,ª ordf,« laquo,¬ not,\u00ad shy,® reg REG," +
    "¯ macr,° deg,± plusmn pm,² sup2,³ sup3,´ acute,µ micro,¶ para,· middot,¸ cedil,¹ sup1,º ordm," +
    "» raquo,¼ frac14,½ frac12 half,¾ frac34,¿ iquest,Æ AElig,Ð ETH,× times,Ø Oslash,Þ THORN,ß szlig," +
    "æ aelig,ð eth,÷ divide div,ø oslash,þ thorn,Œ OElig,œ oelig,Đ Dstrok,đ dstrok,Ł Lstrok,ł lstrok," +
    "ı imath inodot,ƒ fnof,ˆ circ,˜ tilde,– ndash,— mdash,‘ lsquo,’ rsquo,‚ sbquo,“ ldquo,” rdquo," +
    "„ bdquo,† dagger,‡ Dagger,• bull,… hellip mldr,‰ permil,‹ lsaquo,› rsaquo,€ euro,™ trade," +
    "− minus,← larr,↑ uarr,→ rarr,↓ darr,‐ hyphen dash").split(/,(?=[^ ]+ )/)
    .flatMap((entry) => {
      const [letter, ...names] = [entry[0]!, ...entry.slice(2).split(" ")];
      return names.map((name): [string, string] => [name, letter]);
    }),
);

/**
 * The character of a named entity of HTML: ASCII, Latin letters and the usual signs; `undefined` for
 * other names.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["eacute", "sol", "Scaron", "other"].map(namedCharacter), ["é", "/", "Š", undefined]);
 * ```
 */
export function namedCharacter(name: string): string | undefined {
  const [, letter, mark] = MARKED.exec(name) ?? [];
  return letter === undefined ? NAMED.get(name) : (letter + MARKS[mark!]!).normalize("NFC");
}
