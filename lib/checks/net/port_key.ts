import * as v from "valibot";
import { about, port } from "../../config/keys/values.ts";

/** The port of a site that is reached without an address that holds one. */
export const PORT_KEY = {
  port: v.optional(
    about(
      "tcp-ping, ssl: port, unless it is part of `url`; a number or a $SECRET. 443 for ssl.",
      port(),
    ),
  ),
};
