import { siteKey } from "@gatehouse/runtime";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";

/**
 * Counts a request to a URL that a self-described client named, by the network of the caller who causes it, in all and
 * for this host. Requests of others to the host do not count. Throws 429. CI-10, DC-08.
 */
export async function countClientFetch(url: string, caller: Caller, { quota }: Pick<Deps, "quota">): Promise<void> {
  const waits = [
    await quota?.("client fetch", siteKey(caller)),
    await quota?.("client fetch from host", siteKey(caller, new URL(url).host)),
  ];
  const waitSeconds = Math.max(...waits.map((seconds = 0) => seconds));
  if (waitSeconds === 0) return;
  throw new OAuthError(
    "temporarily_unavailable",
    "rate_limited",
    "too many documents and key sets fetched for this network",
    {
      description: "Too many requests of self-described clients from your network. Try again later.",
      status: 429,
      headers: { "Retry-After": String(waitSeconds) },
    },
  );
}

/**
 * Runs `start` once for all who need the same at the same time. If the caller who started it had no quota left, the
 * next one starts it: nobody is refused for another's requests.
 */
export async function shareFetch<Result>(
  running: Map<string, Promise<Result>>,
  key: string,
  start: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const other = running.get(key);
    if (!other) {
      const own = start();
      running.set(key, own);
      return own.finally(() => running.delete(key));
    }
    try {
      return await other;
    } catch (thrown) {
      if (!(thrown instanceof OAuthError && thrown.refusalCause === "rate_limited")) throw thrown;
    }
  }
}
