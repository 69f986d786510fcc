import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Returns a promise only if it has to wait for the response. */
export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** Next, mounted in our own server. */
export type NextServer = {
  listener: Listener;
  upgradeOn(servers: readonly Server[]): void;
  /** Ends its process. */
  close(): Promise<void>;
};
