import { timingSafeEqual } from "node:crypto";
import { type Client, type ClientSecret, isConfidential } from "./client.ts";
import type { Caller, Deps } from "./deps.ts";
import { OAuthError } from "./error.ts";
import type { Form } from "./form.ts";
import type { Posted } from "./http.ts";
import type { RefusalCause, RefusalDetail } from "./refusal.ts";
import { type Hash, sha256 } from "./secret.ts";

/** What every endpoint that authenticates clients has to know by name. */
export const CLIENT_PARAMETERS = ["client_id", "client_secret", "client_assertion", "client_assertion_type"] as const;

/** One reading of the credentials a request carries; `secret` is undefined where none, or an empty one, was sent. */
type Credentials = { clientId: string; secret: string | undefined };

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const CONTROL = /\p{Cc}/u;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Unknown client, wrong secret, retired secret: the same answer to all of them. N23. */
function failed(reason: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  return new OAuthError("invalid_client", reason, message, { description: "Client authentication failed.", detail });
}

/**
 * The client that sent this request: by HTTP Basic, by `client_secret` in the body, or, for public clients, by
 * `client_id` alone. Throws `invalid_client`, `invalid_request` when mechanisms are mixed, and 429 to whoever keeps
 * guessing. OAuth 2.1 §2.4, §3.2.2.
 */
export async function authenticateClient({ request, form, deps, caller }: Posted): Promise<Client> {
  const readings = readCredentials(request, form);
  const key = guessKey(readings, caller);
  const waitSeconds = key === undefined ? 0 : (deps.throttle?.waitSeconds(key) ?? 0);
  if (waitSeconds > 0) throw tooManyGuesses(waitSeconds);
  try {
    return await verify(readings, deps);
  } catch (thrown) {
    if (key !== undefined && thrown instanceof OAuthError) await deps.throttle?.failed(key);
    throw thrown;
  }
}

/** Failures count for one client from one address, so that nobody locks out anybody else. No secret, no guess. TK-13. */
function guessKey(readings: readonly Credentials[], { address }: Caller): string | undefined {
  const guess = readings.find(({ secret }) => secret !== undefined);
  return guess && address !== null ? `${address} ${guess.clientId}` : undefined;
}

function tooManyGuesses(waitSeconds: number): OAuthError {
  return new OAuthError("temporarily_unavailable", "rate_limited", "too many failed authentications of this client from this address", {
    description: "Too many failed attempts. Try again later.",
    status: 429,
    headers: { "Retry-After": String(waitSeconds) },
  });
}

async function verify(readings: readonly Credentials[], deps: Deps): Promise<Client> {
  const client = await findClient(readings, deps);
  if (!client) {
    // CA-05: an unknown client takes as long as a wrong secret does.
    for (const { secret } of readings) if (secret !== undefined) await deps.store.findSecretOwner("", sha256(secret));
    throw failed("client_unknown", "no client has this id");
  }

  const secrets = readings.filter(({ clientId }) => clientId === client.clientId).flatMap(({ secret }) => secret ?? []);
  if (isConfidential(client)) await verifySecret(client, secrets, deps);
  // CA-07: what is presented has to verify, and nothing can against a client that has no secret.
  else if (secrets.length > 0) throw failed("secret_from_public_client", `a ${client.type} client is public and has no secret`);

  if (!client.enabled) throw failed("client_disabled", "the client is switched off");
  return client;
}

/** The client id a request claims, for the ledger: proven or not, and undefined when nothing readable was sent. */
export function claimedClientId(request: Request, form: Form | undefined): string | null {
  try {
    return readBasic(request.headers.get("authorization") ?? "")[0]?.clientId ?? null;
  } catch {
    return form?.optional("client_id") ?? null;
  }
}

async function findClient(readings: readonly Credentials[], deps: Pick<Deps, "store">): Promise<Client | undefined> {
  for (const clientId of new Set(readings.map((reading) => reading.clientId))) {
    const client = await deps.store.findClient(clientId);
    if (client) return client;
  }
  return undefined;
}

function readCredentials(request: Request, form: Form): Credentials[] {
  const header = request.headers.get("authorization");
  const secret = form.optional("client_secret");
  const assertion = form.optional("client_assertion");

  // CA-04: one mechanism per request; a client_id beside Basic is not a second one.
  if ([header ?? undefined, secret, assertion].filter((sent) => sent !== undefined).length > 1) {
    const description = "Authenticate the client in one way only.";
    throw new OAuthError("invalid_request", "client_mechanisms_mixed", description, { description });
  }
  if (assertion !== undefined) throw failed("client_credentials_malformed", "client assertions are not supported");

  const clientId = form.optional("client_id");
  if (header === null) {
    if (clientId === undefined) throw failed("client_missing", "neither client_id nor an Authorization header was sent");
    return [{ clientId, secret }];
  }
  const readings = readBasic(header);
  if (clientId !== undefined && !readings.some((reading) => reading.clientId === clientId)) {
    throw failed("client_id_mismatch", "client_id in the body is not the one in the Authorization header");
  }
  return readings;
}

/** Both halves are form-encoded by the book, and sent raw by some clients: try the book first. RFC 6749 §2.3.1. */
function readBasic(header: string): Credentials[] {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) throw failed("client_credentials_malformed", "the Authorization header is not HTTP Basic");

  const pair = decodeUtf8(Buffer.from(encoded, "base64"));
  const colon = pair?.indexOf(":") ?? -1;
  if (pair === undefined || colon < 1 || CONTROL.test(pair))
    throw failed("client_credentials_malformed", "not base64 of id:secret in UTF-8");

  const raw = { clientId: pair.slice(0, colon), secret: pair.slice(colon + 1) || undefined };
  if (!/[%+]/.test(pair)) return [raw];

  const clientId = decodeForm(raw.clientId);
  const secret = decodeForm(raw.secret ?? "");
  if (clientId === undefined || secret === undefined || CONTROL.test(clientId)) return [raw];
  return [{ clientId, secret: secret || undefined }, raw];
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeForm(half: string): string | undefined {
  try {
    return decodeURIComponent(half.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function equalHash(a: Hash, b: Hash): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Passes when a live secret matches; otherwise throws with the true cause, which only the ledger learns. CA-10. */
async function verifySecret(client: Client, sent: readonly string[], deps: Pick<Deps, "store" | "now">): Promise<void> {
  if (sent.length === 0) throw failed("secret_missing", `a ${client.type} client has to authenticate with its secret`);
  const hashes = sent.map(sha256);
  const matches = client.secrets.filter((known) => hashes.some((hash) => equalHash(hash, known.hash)));

  const now = deps.now();
  const live = matches.find((known) => known.revokedAt === null && (known.expiresAt === null || known.expiresAt > now));
  if (!live) throw matches[0] ? deadSecret(matches[0], now) : await wrongSecret(client, hashes, deps);
  deps.store.touchClientSecret(live.id, now).catch(() => {}); // written behind: nobody waits for a statistic
}

function deadSecret(match: ClientSecret, now: number): OAuthError {
  if (match.revokedAt !== null) {
    return failed("secret_retired", "this secret was retired", { secretId: match.id, retiredSecondsAgo: now - match.revokedAt });
  }
  return failed("secret_expired", "this secret has expired", { secretId: match.id, expiredBySeconds: now - (match.expiresAt ?? now) });
}

/** D11: the commonest wrong secret is the right one of another environment. */
async function wrongSecret(client: Client, hashes: readonly Hash[], { store }: Pick<Deps, "store">): Promise<OAuthError> {
  for (const hash of hashes) {
    const owner = await store.findSecretOwner(client.applicationId, hash);
    if (owner) {
      const message = `this is the secret of ${owner.clientId}, the same application in ${owner.environment}`;
      return failed("secret_of_other_environment", message, { environment: client.environment, secretEnvironment: owner.environment });
    }
  }
  return failed("secret_wrong", "no secret of this client matches");
}
