import type { GatehouseError } from "../error.ts";
import type { Payload } from "./payload.ts";

/** How a renewal ended. `ended`: the session is over. `failed`: nobody knows. */
export type Renewal =
  | { kind: "renewed"; payload: Payload }
  | { kind: "ended" }
  | { kind: "failed"; error: GatehouseError };

/**
 * What the server says of a session. `foreign`: the tokens are of another user or environment. `unknown`: it did not
 * answer.
 */
export type Status =
  | { kind: "active" }
  | { kind: "inactive" }
  | { kind: "foreign" }
  | { kind: "unknown"; error: GatehouseError };
