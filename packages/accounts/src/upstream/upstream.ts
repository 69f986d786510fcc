import { sha256 } from "@gatehouse/auth";
import type { Configuration } from "openid-client";
import { connectUpstream, type UpstreamClientDeps } from "./client.ts";
import type { SignInProvider } from "./provider.ts";
import { type ProviderCheck, tryProvider } from "./try-provider.ts";

/** Requests to the providers that users sign in with. */
export type Upstream = {
  /** The OAuth client of a provider. Rejects with `UpstreamError`. */
  clientOf(provider: SignInProvider): Promise<Configuration>;
  /** Whether our settings work at a provider. Signs nobody in. */
  test(provider: SignInProvider): Promise<ProviderCheck[]>;
};

const CACHE_SECONDS = 3600;
/** So that sign-ins at a provider that is down do not call it each time. */
const RETRY_SECONDS = 5;
const MAX_CACHED = 50;

/**
 * Clients of all providers. Each keeps the provider's metadata for an hour and its keys for minutes; changing a
 * provider makes a new one.
 */
export function createUpstream(deps: UpstreamClientDeps & { config: { issuer: string } }): Upstream {
  const cached = new Map<string, { client: Promise<Configuration>; expiresAt: number }>();

  return {
    clientOf(provider) {
      const key = sha256(JSON.stringify(provider));
      const found = cached.get(key);
      if (found && deps.now() < found.expiresAt) return found.client;
      if (cached.size >= MAX_CACHED) for (const oldest of cached.keys()) if (cached.delete(oldest)) break;
      const entry = { client: connectUpstream(provider, deps), expiresAt: deps.now() + CACHE_SECONDS };
      cached.set(key, entry);
      entry.client.catch(() => {
        entry.expiresAt = deps.now() + RETRY_SECONDS;
      });
      return entry.client;
    },
    test: (provider) => tryProvider(provider, deps),
  };
}
