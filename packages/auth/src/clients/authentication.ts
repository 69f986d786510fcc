import { timingSafeEqual } from "node:crypto";
import type { Jwt } from "@gatehouse/guard";
import { callerKey, type ThrottleKey } from "@gatehouse/runtime";
import { type Hash, sha256 } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { EndpointContext } from "../http/endpoint.ts";
import { verifyAssertion } from "./assertion.ts";
import { type Client, type ClientSecret, isConfidential } from "./client.ts";
import { type Credentials, invalidClient, readCredentials } from "./credentials.ts";
import { currentClient } from "./document-cache.ts";

/**
 * Authenticates the client of a request: by HTTP Basic, by `client_secret` in the body, by a signed assertion, or, for
 * public clients, by `client_id` alone. A client of a metadata document is checked against its current document. Throws
 * `invalid_client`; `invalid_request` for more than one method; 429 after too many wrong secrets or assertions. OAuth
 * 2.1 §2.4, §3.2.2; CA-01, CA-06, CA-08.
 */
export async function authenticateClient({ request, form, deps, caller }: EndpointContext): Promise<Client> {
  const readings = readCredentials(request, form);
  const known = await findClient(readings, deps);
  const key = guessKey(readings, known, caller);
  const waitSeconds = key === undefined ? 0 : (deps.throttle?.waitSeconds(key) ?? 0);
  if (waitSeconds > 0) throw tooManyGuesses(waitSeconds);
  try {
    const client = known && (await currentClient(known, deps, caller));
    const verified = await verify(client, readings, deps, caller);
    caller.onClient?.(verified.clientId);
    return verified;
  } catch (thrown) {
    if (key !== undefined && thrown instanceof OAuthError) await deps.throttle?.failed(key);
    throw thrown;
  }
}

/**
 * The throttle key for a guess. Failures count per client and caller, so that nobody can lock out others. All unknown
 * clients share one count, so that invented ids add no rows. A request with neither secret nor assertion is not a
 * guess. TK-13.
 */
function guessKey(
  readings: readonly Credentials[],
  client: Client | undefined,
  caller: Caller,
): ThrottleKey | undefined {
  const isGuess = readings.some(({ secret, assertion }) => secret !== undefined || assertion !== undefined);
  return isGuess ? callerKey(caller, client?.clientId) : undefined;
}

function tooManyGuesses(waitSeconds: number): OAuthError {
  return new OAuthError(
    "temporarily_unavailable",
    "rate_limited",
    "too many failed authentications of this client from this address",
    {
      description: "Too many failed attempts. Try again later.",
      status: 429,
      headers: { "Retry-After": String(waitSeconds) },
    },
  );
}

async function verify(
  client: Client | undefined,
  readings: readonly Credentials[],
  deps: Deps,
  caller: Caller,
): Promise<Client> {
  if (!client) {
    // CA-05: an unknown client takes as long as a wrong secret.
    for (const { secret } of readings) if (secret !== undefined) await deps.store.findSecretOwner("", sha256(secret));
    throw invalidClient("client_unknown", "no client has this id");
  }

  const { exemption } = deps;
  if (exemption && exemption.clientId !== client.clientId)
    throw invalidClient("client_id_mismatch", "the request is made under an exemption of another client");
  const secrets = readings.filter(({ clientId }) => clientId === client.clientId).flatMap(({ secret }) => secret ?? []);
  const assertion = readings.find((reading) => reading.assertion)?.assertion;
  // CO-40: the host authenticates the client of its own request, unless that has credentials.
  const isByHost = exemption !== undefined && secrets.length === 0 && assertion === undefined;
  const wait = isByHost ? undefined : verifyCredentials(client, { secrets, assertion }, deps, caller);
  if (wait) await wait; // a live secret is verified without waiting

  if (!client.enabled) throw invalidClient("client_disabled", "the client is disabled");
  return client;
}

type Sent = { secrets: readonly string[]; assertion: Jwt | undefined };

/** Throws, or returns a promise that rejects, unless the credentials are the client's. */
function verifyCredentials(
  client: Client,
  { secrets, assertion }: Sent,
  deps: Deps,
  caller: Caller,
): undefined | Promise<void> {
  if (assertion || client.options.authentication === "private_key_jwt")
    return verifySignature(client, assertion, deps, caller);
  if (isConfidential(client)) return verifySecret(client, secrets, deps);
  // CA-07: presented credentials must verify, and a public client has none to verify against.
  if (secrets.length > 0)
    throw invalidClient("secret_from_public_client", `a ${client.type} client is public and has no secret`);
  return undefined;
}

/** CA-09: a client registered for private_key_jwt authenticates with assertions only, and no other client does. */
async function verifySignature(client: Client, assertion: Jwt | undefined, deps: Deps, caller: Caller): Promise<void> {
  if (client.options.authentication !== "private_key_jwt")
    throw invalidClient("assertion_unexpected", "the client is not registered for private_key_jwt");
  if (!assertion) throw invalidClient("assertion_missing", "the client must authenticate with a signed assertion");
  await verifyAssertion(client, assertion, deps, caller);
}

/** The client of the first reading that names one. Almost every request has one reading. */
function findClient(readings: readonly Credentials[], deps: Pick<Deps, "store">): Promise<Client | undefined> {
  const [first, ...others] = readings;
  return first && others.length === 0 ? deps.store.findClient(first.clientId) : findFirstClient(readings, deps);
}

async function findFirstClient(
  readings: readonly Credentials[],
  deps: Pick<Deps, "store">,
): Promise<Client | undefined> {
  for (const clientId of new Set(readings.map((reading) => reading.clientId))) {
    const client = await deps.store.findClient(clientId);
    if (client) return client;
  }
  return undefined;
}

function equalHash(a: Hash, b: Hash): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Throws, or returns a promise that rejects, unless a live secret matches; only the ledger learns the cause. CA-10. */
function verifySecret(
  client: Client,
  sent: readonly string[],
  deps: Pick<Deps, "store" | "now" | "usage">,
): undefined | Promise<never> {
  if (sent.length === 0)
    throw invalidClient("secret_missing", `a ${client.type} client must authenticate with its secret`);
  const hashes = sent.map(sha256);
  const matches = client.secrets.filter((known) => hashes.some((hash) => equalHash(hash, known.hash)));

  const now = deps.now();
  const live = matches.find((known) => known.revokedAt === null && (known.expiresAt === null || known.expiresAt > now));
  if (!live) {
    if (matches[0]) throw deadSecret(matches[0], now);
    return wrongSecret(client, hashes, deps).then((error) => Promise.reject(error));
  }
  deps.usage?.secretUsed(live.id);
  deps.store.touchClientSecret(live.id, now).catch(() => {}); // fire-and-forget: only a statistic
  return undefined;
}

function deadSecret(match: ClientSecret, now: number): OAuthError {
  if (match.revokedAt !== null) {
    return invalidClient("secret_retired", "this secret was retired", {
      secretId: match.id,
      retiredSecondsAgo: now - match.revokedAt,
    });
  }
  return invalidClient("secret_expired", "this secret has expired", {
    secretId: match.id,
    expiredBySeconds: now - (match.expiresAt ?? now),
  });
}

/** D11: the most common wrong secret is that of another environment, or of another client of the application. */
async function wrongSecret(
  client: Client,
  hashes: readonly Hash[],
  { store }: Pick<Deps, "store">,
): Promise<OAuthError> {
  for (const hash of hashes) {
    const owner = await store.findSecretOwner(client.applicationId, hash);
    if (!owner) continue;
    const cause = owner.environment === client.environment ? "secret_of_other_client" : "secret_of_other_environment";
    const message = `this is the secret of ${owner.clientId}, a client of the same application in ${owner.environment}`;
    return invalidClient(cause, message, { environment: client.environment, secretEnvironment: owner.environment });
  }
  return invalidClient("secret_wrong", "no secret of this client matches");
}
