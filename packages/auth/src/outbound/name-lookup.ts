import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { LOOPBACK_ADDRESSES } from "@gatehouse/runtime/loopback";

export type Address = { address: string; family: number };
/** Resolves a host name to all its addresses. Rejects when there is none and when `signal` aborts. */
export type NameLookup = (hostname: string, signal: AbortSignal) => Promise<Address[]>;

export type NameLookupOptions = {
  /** `address:port` of the name servers; default those of the system. */
  servers?: readonly string[] | undefined;
  /** Further lookups wait. Default 32. */
  maxConcurrent?: number | undefined;
};

/** Per query and server; milliseconds. */
const QUERY_OPTIONS = { timeout: 1500, tries: 2 };
const MAX_WAITING = 1000;
/** RFC 6761 §6.3: never sent to a name server. */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;
const LOOPBACK: Address[] = LOOPBACK_ADDRESSES.map((address) => ({ address, family: isIP(address) }));

/**
 * Makes a lookup that queries name servers directly. `dns.lookup` would block one of libuv's four threads, which file
 * access, password hashing and databases also need. Ignores the hosts file; `localhost` always resolves to loopback.
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

/** Queries both families; a name may have only one. Throws the IPv4 error when it has neither. */
async function resolveBoth(hostname: string, resolver: Resolver): Promise<Address[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && v4.status === "rejected") throw v4.reason;
  return found;
}

/** A semaphore: resolves to its release function. Rejects when `signal` aborts or too many are waiting. */
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
  if (waiting.size >= MAX_WAITING) throw new Error("too many pending DNS lookups");
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
