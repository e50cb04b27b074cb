/** Reads HTML as it is written, event by event. */
export { Parser as HtmlParser } from "htmlparser2";
