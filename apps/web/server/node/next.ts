import { createServer } from "node:http";
import { POLICIES, type Policy } from "../routing/policy-table.ts";
import type { Env } from "../start/env.ts";
import type { NextServer } from "./next-mount.ts";
import { createNextProcess } from "./next-process.ts";

/**
 * Starts Next: in development for every route, in production for the React pages of the policy table. In production it
 * has a process of its own, which the first request for one starts. Returns undefined in production when there are
 * none.
 */
export async function startNext(env: Env, folder: string): Promise<NextServer | undefined> {
  if (env.dev) return loadNext(env, folder);
  const hasReactPages = Object.values<Policy>(POLICIES).some(({ kind }) => kind === "react");
  return hasReactPages ? createNextProcess() : undefined;
}

/** Loads Next into this process. */
export async function loadNext(env: Env, folder: string): Promise<NextServer> {
  const { default: createNext } = await import("next");
  // Next adds a listener for upgrades to this server; given none, to ours. It leaves sockets open that it does not
  // upgrade, and with such a listener Node responds to no request with an Upgrade header itself. This one never
  // listens.
  const httpServer = createServer();
  const next = createNext({
    dev: env.dev,
    dir: folder,
    hostname: env.hosts[0] ?? "127.0.0.1",
    port: env.port,
    httpServer,
  });
  await next.prepare();
  return {
    listener: next.getRequestHandler(),
    upgradeOn(servers) {
      for (const server of servers) server.on("upgrade", next.getUpgradeHandler());
    },
    close: () => next.close(),
  };
}
