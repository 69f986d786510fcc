import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Operating systems pick ports for outgoing connections, and for servers that listen on port 0, from a higher range. So
 * no other program gets a port before our server listens on it, or while that server restarts.
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
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT"),
    ); // no IPv6 here
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
