import * as v from "valibot";
import { about, port } from "../../config/keys/values.ts";

/** The port of a site that is reached without an address that holds one. */
export const PORT_KEY = {
  port: v.optional(
    about(
      "tcp-ping, ssl: the port, a number or a $SECRET; it may stand in the url as well. 443 for ssl.",
      port(),
    ),
  ),
};
