import { Resolver } from "node:dns/promises";

export type Address = { address: string; family: number };
/** Every address of a name. Rejects when there is none, and when `signal` ends the look-up. */
export type NameLookup = (hostname: string, signal: AbortSignal) => Promise<Address[]>;

export type NameLookupOptions = {
  /** `address:port` of the name servers; those of the system by default. */
  servers?: readonly string[];
  /** Further look-ups wait until one ends. */
  maxConcurrent?: number;
};

/** For each query and server; the timeout is in milliseconds. */
const QUERY_OPTIONS = { timeout: 1500, tries: 2 };
const MAX_WAITING = 1000;
/** RFC 6761 §6.3: never asked of a name server. */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;
const LOOPBACK: Address[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Asks the name servers themselves. `dns.lookup` would occupy one of libuv's four threads until the system's resolver gives up, and
 * files, passwords and databases wait for those. The hosts file is not read; `localhost` is loopback without asking.
 */
export function createNameLookup({ servers, maxConcurrent = 32 }: NameLookupOptions = {}): NameLookup {
  const acquire = createSemaphore(maxConcurrent);

  return async (hostname, signal) => {
    if (LOCALHOST.test(hostname)) return LOOPBACK;
    const resolver = new Resolver(QUERY_OPTIONS);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    const release = await acquire(signal);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await resolveBoth(hostname, resolver);
    } finally {
      signal.removeEventListener("abort", cancel);
      release();
    }
  };
}

/** A name may have addresses of one family only. Throws the first failure when it has none. */
async function resolveBoth(hostname: string, resolver: Resolver): Promise<Address[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && v4.status === "rejected") throw v4.reason;
  return found;
}

/** A semaphore: resolves to the function that releases it. Rejects when `signal` aborts the wait, or when too many wait already. */
function createSemaphore(maxConcurrent: number): (signal: AbortSignal) => Promise<() => void> {
  let inUse = 0;
  const waiting = new Set<() => void>();

  const release = () => {
    const [next] = waiting;
    if (next) next();
    else inUse -= 1;
  };
  return async (signal) => {
    signal.throwIfAborted();
    if (inUse < maxConcurrent) inUse += 1;
    else await waitForRelease(waiting, signal);
    return release;
  };
}

function waitForRelease(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  if (waiting.size >= MAX_WAITING) throw new Error("too many names wait to be looked up");
  return new Promise((resolve, reject) => {
    const abort = () => {
      waiting.delete(proceed);
      reject(signal.reason);
    };
    const proceed = () => {
      waiting.delete(proceed);
      signal.removeEventListener("abort", abort);
      resolve();
    };
    signal.addEventListener("abort", abort, { once: true });
    waiting.add(proceed);
  });
}
