import type { Client } from "./client.ts";
import type { Deps } from "./deps.ts";
import { LIFETIME } from "./lifetimes.ts";
import { scopeTokens } from "./scope.ts";
import { type Hash, mintId, mintSecret } from "./secret.ts";

/** OAuth 2.1 §3.2.3. Absent members are left out, never null. TK-08. */
export type TokenResponse = {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope?: string;
  refresh_token?: string;
};

/** What a new refresh token carries on: its whole scope, and an end that no rotation moves. RT-05, RT-07. */
export type RefreshTerms = { scope: string; absoluteExpiresAt: number };

export type Issue = {
  client: Client;
  /** null when the client acts for itself. */
  owner: { grantId: string; userId: string } | null;
  /** Of the access token. */
  scope: string;
  refresh?: RefreshTerms | undefined;
};

export type Issued = { response: TokenResponse; accessToken: Hash; refreshToken: Hash | undefined };

/** Whether a grant comes with a refresh token, and on which terms. AC-08: with OpenID, only for offline_access. */
export function refreshTerms(client: Client, scope: string, now: number): RefreshTerms | undefined {
  if (!client.grantTypes.includes("refresh_token")) return undefined;
  const names = scopeTokens(scope);
  if (names.includes("openid") && !names.includes("offline_access")) return undefined;
  const lifetime = client.type === "browser" ? LIFETIME.refreshAbsoluteBrowserSeconds : LIFETIME.refreshAbsoluteSeconds;
  return { scope, absoluteExpiresAt: now + lifetime };
}

/** The one place that mints tokens: writes them, then returns the answer and the hashes they are kept under. */
export async function issueTokens({ client, owner, scope, refresh }: Issue, deps: Deps): Promise<Issued> {
  const now = deps.now();
  const access = mintSecret("accessToken", deps.random);
  const successor = owner && refresh ? mintSecret("refreshToken", deps.random) : undefined;
  const kept = { clientId: client.clientId, audience: deps.config.resource };

  const writes = [
    deps.store.saveAccessToken({
      ...kept,
      hash: access.hash,
      id: mintId(deps.random),
      grantId: owner?.grantId ?? null,
      userId: owner?.userId ?? null,
      scope,
      context: null,
      environment: client.environment,
      issuedAt: now,
      expiresAt: now + LIFETIME.accessTokenSeconds,
    }),
  ];
  if (owner && refresh && successor) {
    const expiresAt = Math.min(now + LIFETIME.refreshIdleSeconds, refresh.absoluteExpiresAt);
    writes.push(
      deps.store.saveRefreshToken({ ...kept, ...owner, ...refresh, hash: successor.hash, context: null, createdAt: now, expiresAt }),
    );
  }
  await Promise.all(writes);

  const response: TokenResponse = {
    access_token: access.secret,
    token_type: "Bearer",
    expires_in: LIFETIME.accessTokenSeconds,
    ...(scope !== "" && { scope }),
    ...(successor && { refresh_token: successor.secret }),
  };
  return { response, accessToken: access.hash, refreshToken: successor?.hash };
}
