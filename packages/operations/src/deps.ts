import type { Deps } from "@gatehouse/auth";
import type { Handle, ReadHandle } from "@gatehouse/db";

/** What the operations may touch: the protocol's dependencies and the database. Take only the part you use. */
export type ApiDeps = Deps & {
  handle: Handle;
  /** For the console's lists, which may take long: on SQLite they run outside the event loop. */
  reads: ReadHandle;
  /** What the console's procedures use in place of these, so that they take no connection away from clients and users. OP-26. */
  console?: { handle: Handle; store: Deps["store"] };
};
