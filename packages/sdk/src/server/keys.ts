import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { JWKSNoMatchingKey } from "jose/errors";
import { createLocalJWKSet } from "jose/jwks/local";
import { GatehouseError } from "../error.ts";
import { isWithin, type Server } from "../process-state.ts";
import { RETRY_AFTER_SECONDS } from "./outcome.ts";
import { request } from "./server.ts";

const FRESH_MS = 600_000;
const STALE_MS = 3_600_000;
const COOLDOWN_MS = 30_000;
/** Without any key nothing can be verified, so waiting is worse than asking. */
const FIRST_COOLDOWN_MS = 2000;
const TIMEOUT_MS = 5000;

/**
 * The server's keys for `jwtVerify`: kept for ten minutes, and for an hour while the server is down. An unknown `kid`
 * fetches them again, at most every 30 seconds, with one request for all who wait. PK-49.
 */
export function serverKeys(server: Server): JWTVerifyGetKey {
  const { settings, state } = server;
  return async (header, token) => {
    const { keys } = state;
    if (!keys.jwks || !isWithin(keys.fetchedAt, FRESH_MS, settings.now())) await reload(server);
    if (!keys.jwks || !isWithin(keys.fetchedAt, STALE_MS, settings.now()))
      throw new GatehouseError("unavailable", "the server's keys cannot be fetched", {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    try {
      return await keys.jwks(header, token);
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey)) throw error;
      await reload(server);
      return keys.jwks(header, token);
    }
  };
}

/** Fetches the keys unless that was tried just now. A failure leaves the known keys in place. */
async function reload(server: Server): Promise<void> {
  const { settings, state } = server;
  const { keys } = state;
  const cooldown = keys.jwks ? COOLDOWN_MS : FIRST_COOLDOWN_MS;
  if (!keys.pending && isWithin(keys.triedAt, cooldown, settings.now())) return;
  keys.triedAt = keys.pending ? keys.triedAt : settings.now();
  keys.pending ??= fetchKeys(server)
    .then(
      (jwks) => {
        keys.jwks = createLocalJWKSet(jwks);
        keys.fetchedAt = settings.now();
      },
      (error: unknown) => {
        if (error instanceof GatehouseError) settings.onError(error);
      },
    )
    .finally(() => {
      keys.pending = undefined;
    });
  await keys.pending;
}

function fetchKeys(server: Server): Promise<JSONWebKeySet> {
  return request(server, async ({ as }) => {
    const response = await server.settings.fetch(as.jwks_uri ?? "", {
      headers: { accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200)
      throw new GatehouseError("unavailable", `the server's keys: it answered ${response.status}`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    return (await response.json()) as JSONWebKeySet; // createLocalJWKSet checks it
  });
}
