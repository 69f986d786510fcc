import { Agent, createServer } from "node:http";
import { POLICIES, type Policy } from "../routing/policy-table.ts";
import type { Env, StartEnv } from "../start/env.ts";
import { forward } from "./forward.ts";
import type { LoadedNext, NextServer } from "./next-mount.ts";
import { createNextProcess } from "./next-process.ts";

/**
 * Next, for the React pages of the policy table; undefined when there are none. It has a process of its own, which the
 * first request for such a page starts, unless one listens on `socketPath` already: dev.ts keeps it running.
 */
export function startNext(env: Pick<StartEnv, "settings">, socketPath?: string): NextServer | undefined {
  if (!Object.values<Policy>(POLICIES).some(({ kind }) => kind === "react")) return undefined;
  if (socketPath === undefined) return createNextProcess(env);
  const address = { socketPath, agent: new Agent({ keepAlive: true }) };
  return { listener: (incoming, outgoing) => forward(incoming, outgoing, address), close: async () => {} };
}

/** Loads Next into this process. */
export async function loadNext(env: Env, folder: string): Promise<LoadedNext> {
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
    // Not `getUpgradeHandler()`: that one does not know hot reload, and leaves its sockets without an answer.
    upgrade(incoming, socket, head) {
      if (!httpServer.emit("upgrade", incoming, socket, head)) socket.destroy();
    },
    close: () => next.close(),
  };
}
