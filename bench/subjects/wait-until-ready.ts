import { readFileSync } from "node:fs";
import { get } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Started } from "../processes.ts";

const POLL_MS = 5;
const WITHIN_MS = 60_000;

/** Polls until the server answers below 500; throws with its output when it exits or never answers. */
export async function waitUntilReady(server: Started, port: number, path: string, log: string): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  while (Date.now() < deadline) {
    if (server.child.exitCode !== null) break;
    if (await answers(port, path)) return;
    await setTimeout(POLL_MS);
  }
  await server.stop();
  throw new Error(`nothing answers on port ${port}:\n${readFileSync(log, "utf8").slice(-3000)}`);
}

function answers(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      response.resume();
      resolve((response.statusCode ?? 500) < 500);
    });
    request.once("error", () => resolve(false));
  });
}
