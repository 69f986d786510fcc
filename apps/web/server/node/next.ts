import type { Server } from "node:http";
import { ACCESS, type Policy } from "../routing/policy-table.ts";
import type { Env } from "../start/env.ts";
import type { Listener } from "./listener.ts";

/** Next beside our own server. */
export type Framework = { listener: Listener; upgradeOn(servers: readonly Server[]): void };

/**
 * Next, in development for every route, in production for the React pages of the policy table. Undefined in production
 * when there are none, as shipped: then Next is not even loaded.
 */
export async function startFramework(env: Env, folder: string): Promise<Framework | undefined> {
  const hasPages = Object.values<Policy>(ACCESS).some(({ audience }) => audience === "react");
  if (!env.dev && !hasPages) return undefined;

  const { default: next } = await import("next");
  const framework = next({ dev: env.dev, dir: folder, hostname: env.hosts[0] ?? "127.0.0.1", port: env.port });
  await framework.prepare();
  return {
    listener: framework.getRequestHandler(),
    upgradeOn(servers) {
      for (const server of servers) server.on("upgrade", framework.getUpgradeHandler());
    },
  };
}
