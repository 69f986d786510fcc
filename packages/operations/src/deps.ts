import type { Deps } from "@gatehouse/auth";
import type { Handle, ReadHandle } from "@gatehouse/db";
import type { ReceiveDeps } from "@gatehouse/webhooks";

/** What operations depend on: the protocol's dependencies and the database. Take only the part you use. */
export type OperationDeps = Deps & {
  handle: Handle;
  /** For the console's lists, which can be slow: on SQLite they run outside the event loop. */
  reads: ReadHandle;
  /** Requests to payment providers, for signatures that need a certificate. Without them, such a signature is not diagnosed. */
  providerRequests?: ReceiveDeps["outbound"];
  /** Replaces these for the console's procedures, so that they do not take connections from clients and users. OP-26. */
  console?: { handle: Handle; store: Deps["store"] };
};
