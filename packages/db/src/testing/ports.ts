import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any port: nobody is given one of ours between
 * `freePort` and the server that is to listen on it, or while that server is restarted.
 */
const FIRST_PORT = 20_000;
const PORTS_PER_WORKER = 1_000;
const WORKERS = 12;

let next = randomInt(PORTS_PER_WORKER);

/** A free port on the loopback addresses. Parallel workers of Vitest and Playwright never get the same one. */
export async function freePort(): Promise<number> {
  const worker = Number(process.env["VITEST_POOL_ID"] ?? process.env["TEST_PARALLEL_INDEX"] ?? -1) + 1;
  const first = FIRST_PORT + (worker % WORKERS) * PORTS_PER_WORKER;
  for (let tried = 0; tried < PORTS_PER_WORKER; tried++) {
    const port = first + (next++ % PORTS_PER_WORKER);
    if ((await isFree(port, "127.0.0.1")) && (await isFree(port, "::1"))) return port;
  }
  throw new Error(`no port from ${first} to ${first + PORTS_PER_WORKER - 1} is free`);
}

function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT")); // no IPv6 here
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
