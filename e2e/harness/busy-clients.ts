import { Agent, request } from "node:http";
import { CLIENTS } from "./fixture.ts";
import type { Running } from "./processes.ts";

// Clients that keep a server busy while it stops.

const CLIENTS_AT_ONCE = 8;

export type Call = { path: string; method?: string; headers?: Record<string, string>; body?: string };

/** Requests a token each time, so that the database is busy when the server stops. */
export const TOKEN: Call = {
  path: "/token",
  method: "POST",
  headers: {
    authorization: `Basic ${Buffer.from(`${CLIENTS.service.client_id}:${CLIENTS.service.client_secret}`).toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded",
  },
  body: "grant_type=client_credentials",
};

/** Sends a request over the agent's keep-alive connection. Resolves to the status. */
function call(port: number, agent: Agent, { path, body, ...options }: Call): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "localhost", port, path, agent, ...options }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end(body);
  });
}

/**
 * Clients that send requests over keep-alive connections until `end`, and reconnect when refused. `failures`: every
 * other outcome. `pauseMs`: between a response and the next request, where the server need not be at its limit.
 */
export function startBusyClients(port: number, what: Call, { clients: count = CLIENTS_AT_ONCE, pauseMs = 0 } = {}) {
  const failures: unknown[] = [];
  let [answered, ended] = [0, false];
  const clients = Array.from({ length: count }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!ended) {
      const outcome = await call(port, agent, what).catch((error: NodeJS.ErrnoException) => error);
      if (pauseMs > 0) await new Promise((again) => setTimeout(again, pauseMs));
      if (outcome === 200) answered += 1;
      else if (outcome instanceof Error && outcome.code === "ECONNREFUSED")
        await new Promise((again) => setTimeout(again, 20));
      else failures.push(outcome);
    }
    agent.destroy();
  });
  return {
    answered: () => answered,
    failures,
    async end() {
      ended = true;
      await Promise.all(clients);
    },
  };
}

/** Sends SIGTERM to this process only, as process managers do. Resolves to its exit code and the time it took. */
export async function terminate({ child }: Running): Promise<{ code: number | null; ms: number }> {
  const began = performance.now();
  const code = await new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
  return { code, ms: performance.now() - began };
}
