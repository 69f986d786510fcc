import { unavailable } from "./errors/unavailable.ts";

/**
 * Whether this process may write. While it is closed every write fails with StoreUnavailable, which each endpoint
 * answers with 503, and reads go on. OP-55.
 */
export type WriteGate = { closed: boolean };

export const writesRefused = () => unavailable("The installation is in maintenance: it only reads", "maintenance");
