import { createServer, type Server } from "node:http";
import { POLICIES, type Policy } from "../routing/policy-table.ts";
import type { Env } from "../start/env.ts";
import type { Listener } from "./listener.ts";

/** Next, running inside our own server. */
export type NextServer = { listener: Listener; upgradeOn(servers: readonly Server[]): void };

/**
 * Starts Next: in development for every route, in production for the React pages of the policy table. In production the first
 * request for one loads it, so that a server whose React pages nobody opens starts as fast and stays as small as one without.
 * Returns undefined in production when there are none.
 */
export async function startNext(env: Env, folder: string): Promise<NextServer | undefined> {
  const hasReactPages = Object.values<Policy>(POLICIES).some(({ kind }) => kind === "react");
  if (env.dev) return loadNext(env, folder);
  if (!hasReactPages) return undefined;

  let loading: Promise<NextServer> | undefined;
  return {
    async listener(incoming, outgoing) {
      loading ??= loadNext(env, folder).catch((error: unknown) => {
        loading = undefined; // the next request tries again
        throw error;
      });
      await (await loading).listener(incoming, outgoing);
    },
    upgradeOn() {}, // only hot reload upgrades connections. Node answers a request to upgrade like any other one: RFC 9110 §7.8
  };
}

async function loadNext(env: Env, folder: string): Promise<NextServer> {
  const { default: createNext } = await import("next");
  // Next adds a listener for upgrades to this server; given none, to ours. It leaves sockets open that it does not upgrade, and with such a
  // listener Node responds to no request with an Upgrade header itself. This one never listens.
  const httpServer = createServer();
  const next = createNext({ dev: env.dev, dir: folder, hostname: env.hosts[0] ?? "127.0.0.1", port: env.port, httpServer });
  await next.prepare();
  return {
    listener: next.getRequestHandler(),
    upgradeOn(servers) {
      for (const server of servers) server.on("upgrade", next.getUpgradeHandler());
    },
  };
}
