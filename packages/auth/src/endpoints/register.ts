import { callerKey, siteKey, subjectKey } from "@gatehouse/runtime";
import { blockedClient } from "../clients/block.ts";
import { describeMetadata, readClientMetadata } from "../clients/metadata.ts";
import { presentMembers } from "../clients/metadata-members.ts";
import type { ClientOptions } from "../clients/options.ts";
import { registrationRules } from "../clients/registration-rules.ts";
import { constantTimeEqual, type Hash, mintId, mintSecret, sha256 } from "../crypto/secret.ts";
import { secretHint } from "../crypto/secret-hint.ts";
import type { Caller, Config, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { refuse } from "../errors/refuse.ts";
import { readJsonObject } from "../http/body.ts";
import { CORS, type Endpoint, methodNotAllowed, preflight } from "../http/endpoint.ts";
import type { DynamicRegistration, SelfDescribedClient } from "../store/registrations.ts";

const ALLOW = "POST, OPTIONS";
const MANAGE_ALLOW = "GET, PUT, DELETE, OPTIONS";
/**
 * With so many dynamically registered clients that no user has allowed yet, each network can register a few an hour
 * only, and those that wait are deleted sooner. Callers who fill the quota do not block others. DC-06.
 */
export const UNCONFIRMED_CROWD = 1000;
const FORBIDDEN_IN_UPDATES = [
  "registration_access_token",
  "registration_client_uri",
  "client_secret_expires_at",
  "client_id_issued_at",
];
const JSON_HEADERS = { ...CORS, "Content-Type": "application/json", "Cache-Control": "no-store", Pragma: "no-cache" };

/** POST /register: dynamic client registration. RFC 7591 §3. Disabled unless configured. */
export const register: Endpoint = async (request, deps, caller) => {
  if (request.method === "OPTIONS") return preflight("POST");
  try {
    if (request.method !== "POST") throw methodNotAllowed(request, ALLOW);
    const initial = await requireAllowed(request, deps);
    const { name, settings } = readClientMetadata(await readJsonObject(request), await registrationRules(deps));
    await requireQuota(deps, caller);
    await requireUnblocked(settings.options, deps);
    // Spent last, so that invalid metadata does not use up the token.
    if (initial !== undefined && !(await deps.store.spendInitialAccessToken(initial, deps.now())))
      throw badToken("the token was used up meanwhile");
    return json(201, await add(name, settings, deps));
  } catch (thrown) {
    return refuse(thrown, { endpoint: "/register", clientId: null }, deps, caller, CORS);
  }
};

/**
 * GET, PUT and DELETE /register/<client_id>: a client manages its registration, even when registration is now closed.
 * RFC 7592.
 */
export async function manageRegistration(
  request: Request,
  clientId: string,
  deps: Deps,
  caller: Caller,
): Promise<Response> {
  if (request.method === "OPTIONS") return preflight("GET, PUT, DELETE");
  try {
    if (!["GET", "PUT", "DELETE"].includes(request.method)) throw methodNotAllowed(request, MANAGE_ALLOW);
    const token = bearerOf(request);
    const registration = token === undefined ? undefined : await deps.store.findDynamicClient(clientId);
    // The same response for a missing token, a wrong token and a deleted client. RFC 7592 §2.
    if (token === undefined || !registration || !constantTimeEqual(registration.tokenHash, sha256(token)))
      throw badToken("not the token of this registration");
    if (!registration.client.enabled) throw blockedClient(403);
    if (request.method === "DELETE") {
      if (!(await deps.store.removeDynamicClient(clientId))) throw await deletedOrBlocked(clientId, deps);
      return new Response(null, { status: 204, headers: { ...CORS, "Cache-Control": "no-store" } });
    }
    if (request.method === "PUT") await requireChangeQuota(clientId, deps, caller);
    const client =
      request.method === "PUT" ? await replace(registration, await readJsonObject(request), deps) : registration.client;
    return json(200, {
      client_id: clientId,
      client_id_issued_at: registration.createdAt,
      ...describeMetadata(client),
      ...management(clientId, token, deps.config),
    });
  } catch (thrown) {
    return refuse(thrown, { endpoint: "/register/<client_id>", clientId }, deps, caller, CORS);
  }
}

async function add(
  name: string,
  settings: ReturnType<typeof readClientMetadata>["settings"],
  deps: Deps,
): Promise<object> {
  const now = deps.now();
  const clientId = mintId(deps.random);
  const registration = mintSecret("registrationToken", deps.random);
  const minted = settings.options.secretMethod === undefined ? undefined : mintSecret("clientSecret", deps.random);
  // The suffix keeps a self-chosen name distinct from that of another application.
  const applicationName = `${name} (${clientId.slice(0, 6)})`;
  const added = await deps.store.addDynamicClient(
    {
      ...settings,
      clientId,
      applicationId: mintId(deps.random),
      applicationName,
      registrationTokenHash: registration.hash,
      secret: minted ? { id: mintId(deps.random), hash: minted.hash, hint: secretHint(minted.secret) } : null,
    },
    now,
  );
  if (!added) throw blockedClient(403);
  return {
    client_id: clientId,
    client_id_issued_at: now,
    ...(minted && { client_secret: minted.secret, client_secret_expires_at: 0 }),
    ...describeMetadata(settings),
    ...management(clientId, registration.secret, deps.config),
  };
}

/** Replaces all metadata; absent members are removed. The kind of client authentication cannot change. DC-07. */
async function replace(
  { client }: DynamicRegistration,
  sent: Record<string, unknown>,
  deps: Deps,
): Promise<SelfDescribedClient> {
  const members = presentMembers(sent);
  const invalid = (description: string) =>
    new OAuthError("invalid_client_metadata", "client_metadata_invalid", description, { description });
  const { clientId, applicationId, applicationName } = client;
  if (members["client_id"] !== clientId) throw invalid("client_id must be that of this client.");
  const forbidden = FORBIDDEN_IN_UPDATES.find((name) => members[name] !== undefined);
  if (forbidden !== undefined) throw invalid(`${forbidden} must not be sent.`);
  const secret = members["client_secret"];
  if (
    secret !== undefined &&
    !(typeof secret === "string" && client.secrets.some(({ hash }) => hash === sha256(secret)))
  ) {
    throw invalid("client_secret is not that of this client, and clients cannot choose it.");
  }
  const { name, settings } = readClientMetadata(members, await registrationRules(deps));
  const kindOf = ({ authentication, secretMethod }: typeof settings.options) =>
    authentication ?? (secretMethod ? "secret" : "none");
  if (kindOf(settings.options) !== kindOf(client.options))
    throw invalid("token_endpoint_auth_method cannot change its kind. Register a new client.");
  const changed: SelfDescribedClient = {
    ...settings,
    clientId,
    applicationId,
    applicationName: name === client.options.clientName ? applicationName : `${name} (${clientId.slice(0, 6)})`,
  };
  if (!(await deps.store.replaceDynamicClient(changed, deps.now()))) throw await deletedOrBlocked(clientId, deps);
  return changed;
}

/** Why a change did not apply: the registration was deleted, or an admin blocked the client. */
async function deletedOrBlocked(clientId: string, { store }: Pick<Deps, "store">): Promise<OAuthError> {
  return (await store.findDynamicClient(clientId))
    ? blockedClient(403)
    : badToken("the registration was deleted meanwhile");
}

/**
 * The hash of the initial access token; undefined when none is needed. Throws when registration is closed or the token
 * is invalid. DC-02.
 */
async function requireAllowed(request: Request, deps: Deps): Promise<Hash | undefined> {
  const { registration = "closed" } = deps.config;
  if (registration === "closed") {
    throw new OAuthError("access_denied", "registration_closed", "registration is closed", {
      description: "Only administrators can register clients here.",
      status: 403,
    });
  }
  if (registration === "open") return undefined;
  const token = bearerOf(request);
  if (token === undefined) throw badToken("no initial access token was sent");
  const hash = sha256(token);
  const found = await deps.store.findInitialAccessToken(hash);
  const live = found && found.remaining !== 0 && (found.expiresAt === null || found.expiresAt > deps.now());
  if (!live) throw badToken("the initial access token is unknown, expired or used up");
  return hash;
}

/** Limits open registration. A token limits its own number of registrations. DC-06. */
async function requireQuota(deps: Deps, caller: Caller): Promise<void> {
  const { config, quota, store } = deps;
  if (config.registration !== "open") return;
  const waitSeconds = (await quota?.("registration", callerKey(caller))) ?? 0;
  if (waitSeconds > 0) throw tooMany("too many registrations from this address", waitSeconds);
  if ((await store.countUnconfirmedClients(UNCONFIRMED_CROWD)) < UNCONFIRMED_CROWD) return;
  const crowded = (await quota?.("registration in a crowd", siteKey(caller))) ?? 0;
  if (crowded > 0)
    throw tooMany("too many registrations from this network while many clients wait for their first user", crowded);
}

/**
 * Limits changes of one registration, and of all that this address changes: each can name a URL that we request. DC-06,
 * DC-08.
 */
async function requireChangeQuota(clientId: string, { quota }: Deps, caller: Caller): Promise<void> {
  const ofClient = (await quota?.("registration change", subjectKey("client", clientId))) ?? 0;
  const ofCaller = (await quota?.("registration changes", callerKey(caller))) ?? 0;
  const waitSeconds = Math.max(ofClient, ofCaller);
  if (waitSeconds > 0) throw tooMany("too many changes of this registration, or from this address", waitSeconds);
}

/** Before a client has an id, only its software id can be blocked. */
async function requireUnblocked({ softwareId }: ClientOptions, deps: Deps): Promise<void> {
  if (softwareId === undefined) return;
  if (await deps.store.isBlocked([{ kind: "software_id", value: softwareId }], deps.now())) throw blockedClient(403);
}

function tooMany(message: string, waitSeconds: number): OAuthError {
  return new OAuthError("temporarily_unavailable", "registration_quota", message, {
    description: "Too many registrations. Try again later.",
    status: 429,
    headers: { "Retry-After": String(waitSeconds) },
  });
}

function bearerOf(request: Request): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

function badToken(message: string): OAuthError {
  return new OAuthError("invalid_token", "registration_token_invalid", message, {
    description: "The token is missing, unknown, expired or used up.",
    headers: { "WWW-Authenticate": 'Bearer realm="gatehouse", error="invalid_token"' },
  });
}

function management(clientId: string, token: string, { issuer }: Config): object {
  return { registration_access_token: token, registration_client_uri: `${issuer}/register/${clientId}` };
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: JSON_HEADERS });
}
