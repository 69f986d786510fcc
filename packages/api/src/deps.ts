import type { Deps } from "@gatehouse/auth";
import type { Handle } from "@gatehouse/db";

/** What the operations may touch: the protocol's dependencies and the database. Take only the part you use. */
export type ApiDeps = Deps & { handle: Handle };
