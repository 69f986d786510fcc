import { cached, stored } from "./better-auth.js";
import * as floor from "./floor.js";
import * as gatehouse from "./gatehouse.js";
import * as nextAuth from "./next-auth.js";

/** What is compared, by the last segment of a path. */
export const SUBJECTS = {
  floor,
  gatehouse,
  "next-auth": nextAuth,
  "better-auth": cached,
  "better-auth-stored": stored,
};

/** How long a call took, in milliseconds, for the benchmark. */
export const TOOK = "x-took";
