import { timingSafeEqual } from "node:crypto";
import type { Jwt } from "../crypto/jwt.ts";
import { type Hash, sha256 } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { EndpointContext } from "../http/endpoint.ts";
import { callerKey, type ThrottleKey } from "../http/throttle-key.ts";
import { verifyAssertion } from "./assertion.ts";
import { type Client, type ClientSecret, isConfidential } from "./client.ts";
import { type Credentials, invalidClient, readCredentials } from "./credentials.ts";

/**
 * The client that sent this request: by HTTP Basic, by `client_secret` in the body, by an assertion it signed, or, for
 * public clients, by `client_id` alone. Throws `invalid_client`, `invalid_request` when mechanisms are mixed, and 429 to whoever keeps
 * guessing. OAuth 2.1 §2.4, §3.2.2.
 */
export async function authenticateClient({ request, form, deps, caller }: EndpointContext): Promise<Client> {
  const readings = readCredentials(request, form);
  const client = await findClient(readings, deps);
  const key = guessKey(readings, client, caller);
  const waitSeconds = key === undefined ? 0 : (deps.throttle?.waitSeconds(key) ?? 0);
  if (waitSeconds > 0) throw tooManyGuesses(waitSeconds);
  try {
    return await verify(client, readings, deps);
  } catch (thrown) {
    if (key !== undefined && thrown instanceof OAuthError) await deps.throttle?.failed(key);
    throw thrown;
  }
}

/**
 * Failures count for one client from one network, so that nobody locks out anybody else, and for all clients that do not
 * exist together, so that inventing some writes nothing new. No secret, no guess. TK-13.
 */
function guessKey(readings: readonly Credentials[], client: Client | undefined, caller: Caller): ThrottleKey | undefined {
  const isGuess = readings.some(({ secret }) => secret !== undefined);
  return isGuess ? callerKey(caller, client?.clientId) : undefined;
}

function tooManyGuesses(waitSeconds: number): OAuthError {
  return new OAuthError("temporarily_unavailable", "rate_limited", "too many failed authentications of this client from this address", {
    description: "Too many failed attempts. Try again later.",
    status: 429,
    headers: { "Retry-After": String(waitSeconds) },
  });
}

async function verify(client: Client | undefined, readings: readonly Credentials[], deps: Deps): Promise<Client> {
  if (!client) {
    // CA-05: an unknown client takes as long as a wrong secret does.
    for (const { secret } of readings) if (secret !== undefined) await deps.store.findSecretOwner("", sha256(secret));
    throw invalidClient("client_unknown", "no client has this id");
  }

  const secrets = readings.filter(({ clientId }) => clientId === client.clientId).flatMap(({ secret }) => secret ?? []);
  const assertion = readings.find((reading) => reading.assertion)?.assertion;
  if (assertion || client.options.authentication === "private_key_jwt") await verifySignature(client, assertion, deps);
  else if (isConfidential(client)) await verifySecret(client, secrets, deps);
  // CA-07: what is presented has to verify, and nothing can against a client that has no secret.
  else if (secrets.length > 0) throw invalidClient("secret_from_public_client", `a ${client.type} client is public and has no secret`);

  if (!client.enabled) throw invalidClient("client_disabled", "the client is switched off");
  return client;
}

/** CA-09: whoever registered keys authenticates with them alone, and nobody else with any. */
async function verifySignature(client: Client, assertion: Jwt | undefined, deps: Deps): Promise<void> {
  if (client.options.authentication !== "private_key_jwt")
    throw invalidClient("assertion_unexpected", "the client is not registered for private_key_jwt");
  if (!assertion) throw invalidClient("assertion_missing", "the client has to authenticate with an assertion that it signed");
  await verifyAssertion(client, assertion, deps);
}

async function findClient(readings: readonly Credentials[], deps: Pick<Deps, "store">): Promise<Client | undefined> {
  for (const clientId of new Set(readings.map((reading) => reading.clientId))) {
    const client = await deps.store.findClient(clientId);
    if (client) return client;
  }
  return undefined;
}

function equalHash(a: Hash, b: Hash): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Passes when a live secret matches; otherwise throws with the true cause, which only the ledger learns. CA-10. */
async function verifySecret(client: Client, sent: readonly string[], deps: Pick<Deps, "store" | "now">): Promise<void> {
  if (sent.length === 0) throw invalidClient("secret_missing", `a ${client.type} client has to authenticate with its secret`);
  const hashes = sent.map(sha256);
  const matches = client.secrets.filter((known) => hashes.some((hash) => equalHash(hash, known.hash)));

  const now = deps.now();
  const live = matches.find((known) => known.revokedAt === null && (known.expiresAt === null || known.expiresAt > now));
  if (!live) throw matches[0] ? deadSecret(matches[0], now) : await wrongSecret(client, hashes, deps);
  deps.store.touchClientSecret(live.id, now).catch(() => {}); // written behind: nobody waits for a statistic
}

function deadSecret(match: ClientSecret, now: number): OAuthError {
  if (match.revokedAt !== null) {
    return invalidClient("secret_retired", "this secret was retired", { secretId: match.id, retiredSecondsAgo: now - match.revokedAt });
  }
  return invalidClient("secret_expired", "this secret has expired", {
    secretId: match.id,
    expiredBySeconds: now - (match.expiresAt ?? now),
  });
}

/** D11: the commonest wrong secret is the right one of another environment. */
async function wrongSecret(client: Client, hashes: readonly Hash[], { store }: Pick<Deps, "store">): Promise<OAuthError> {
  for (const hash of hashes) {
    const owner = await store.findSecretOwner(client.applicationId, hash);
    if (owner) {
      const message = `this is the secret of ${owner.clientId}, the same application in ${owner.environment}`;
      return invalidClient("secret_of_other_environment", message, {
        environment: client.environment,
        secretEnvironment: owner.environment,
      });
    }
  }
  return invalidClient("secret_wrong", "no secret of this client matches");
}
