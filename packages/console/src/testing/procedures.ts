import type { Requirements } from "../requirements.ts";
import { appRouter } from "../root.ts";

/** Where tRPC keeps what a procedure declares. */
type Declared = { _def: { type: "query" | "mutation"; inputs: readonly unknown[]; meta: Requirements } };

/** Every procedure of the console, by path, with what it requires of its caller. */
export const PROCEDURES = Object.entries(appRouter._def.procedures as unknown as Record<string, Declared>).map(
  ([
    path,
    {
      _def: { type, inputs, meta: requirements },
    },
  ]) => ({ path, type, inputs, requirements }),
);
