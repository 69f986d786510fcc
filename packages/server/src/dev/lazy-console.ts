import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { untilHealthy } from "../processes/ready.ts";
import { type Door, listenFor } from "./door.ts";

/**
 * Listens at the console's port, and starts the console with the first request: many sessions of development never
 * look at it. `start`: starts it on another port. PK-18
 */
export async function consoleAtFirstVisit(port: number, start: (port: number) => ChildProcess): Promise<Door> {
  let running: Promise<number> | undefined;
  let child: ChildProcess | undefined;
  const run = async () => {
    const own = await freePort();
    child = start(own);
    child.once("exit", () => (running = undefined)); // the next visit starts another one
    await untilHealthy(`http://localhost:${own}`, child);
    return own;
  };
  const door = await listenFor(port, () => (running ??= run()));
  return {
    close() {
      door.close();
      child?.kill("SIGTERM");
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "localhost");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
