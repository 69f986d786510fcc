import { callerKey, networkKey, type ThrottleKey } from "@gatehouse/runtime";
import { checkRequest } from "../authorization/checks.ts";
import { AUTHORIZATION_PARAMETERS, readParameters, writeParameters } from "../authorization/parameters.ts";
import { REQUEST_URI_PREFIX } from "../authorization/pushed-request.ts";
import { MAX_QUERY_LENGTH } from "../authorization/response.ts";
import { redirectTargetFor } from "../authorization/target.ts";
import { authenticateClient } from "../clients/authentication.ts";
import { type Client, isConfidential, isSelfDescribed } from "../clients/client.ts";
import { CLIENT_PARAMETERS, readCredentials } from "../clients/credentials.ts";
import { loadDocumentClient } from "../clients/document-cache.ts";
import { isUrlClientId } from "../clients/metadata-document.ts";
import { sha256 } from "../crypto/secret.ts";
import { OAuthError } from "../errors/error.ts";
import { noteLeftOut } from "../errors/left-out.ts";
import { type EndpointContext, formEndpoint } from "../http/endpoint.ts";
import type { Form } from "../http/form.ts";
import type { Throttle } from "../http/throttle.ts";
import { LIFETIME } from "../lifetimes.ts";
import { requireProof } from "../tokens/dpop.ts";

const PARAMETERS = [...new Set([...CLIENT_PARAMETERS, ...AUTHORIZATION_PARAMETERS, "resource"])];

/**
 * POST /par. RFC 9126. Authenticates the client as the token endpoint does, validates its authorization request as the
 * authorization endpoint does, and returns a `request_uri` for it. PA-01, PA-02, PA-06.
 */
export const pushedAuthorizationRequest = formEndpoint(
  { path: "/par", parameters: PARAMETERS, cors: true, status: 201 },
  async (posted) => {
    const { form, deps } = posted;
    await loadPushingClient(posted);
    const client = await authenticateClient(posted);
    await limitRate(client, posted);
    rejectRequestUri(form);

    const reference = Buffer.from(deps.random(32)).toString("base64url");
    const hash = sha256(reference);
    const { exemption } = deps;
    const parameters = readParameters(authorizationParameters(form, client), hash);
    const asked = await checkRequest(parameters, await redirectTargetFor(parameters, client, exemption, deps), deps);
    await noteLeftOut(asked, { endpoint: "/par", clientId: client.clientId }, deps, posted.caller);
    const written = writeParameters(parameters);
    if (written.length > MAX_QUERY_LENGTH) throw tooLarge();

    const dpopJkt = (await requestedKey(asked.dpopJkt, posted)) ?? null;
    const now = deps.now();
    const expiresAt = exemption?.endsAt ?? now + LIFETIME.pushedRequestSeconds;
    const by = { clientId: client.clientId, exemptionId: exemption?.id ?? null };
    await deps.store.savePushedRequest({ hash, ...by, parameters: written, dpopJkt, expiresAt });
    return { request_uri: REQUEST_URI_PREFIX + reference, expires_in: expiresAt - now };
  },
);

/**
 * Reads the metadata document of a client that pushes its first request: until then, nobody here has heard of it.
 * Limited per caller as the lookups of signed-in users are. Throws `invalid_client` when there is no such document.
 * CI-07, PA-01.
 */
async function loadPushingClient({ request, form, deps, caller }: EndpointContext): Promise<void> {
  if (!deps.config.clientMetadataDocuments) return;
  const clientId = readCredentials(request, form)[0]?.clientId;
  if (clientId === undefined || !isUrlClientId(clientId) || (await deps.store.findClient(clientId))) return;
  try {
    await loadDocumentClient(clientId, deps, caller);
  } catch (thrown) {
    if (!(thrown instanceof OAuthError) || thrown.code !== "invalid_client") throw thrown;
    const { refusalCause, message, description } = thrown;
    throw new OAuthError("invalid_client", refusalCause, message, {
      description: description ?? "Client authentication failed.",
    });
  }
}

/** RFC 9126 §2.1: a pushed request cannot contain request_uri. */
function rejectRequestUri(form: Form): void {
  if (form.optional("request_uri") === undefined) return;
  const description = "request_uri cannot be part of a pushed request.";
  throw new OAuthError("invalid_request", "request_object_unsupported", description, { description });
}

/** The authorization parameters without credentials, and with the authenticated client_id. */
function authorizationParameters(form: Form, client: Client): URLSearchParams {
  const params = new URLSearchParams({ client_id: client.clientId });
  for (const name of AUTHORIZATION_PARAMETERS) {
    const value = name === "client_id" ? undefined : form.optional(name);
    if (value !== undefined) params.set(name, value);
  }
  for (const resource of form.all("resource")) params.append("resource", resource);
  return params;
}

/** The key to bind the code to: named by `dpop_jkt`, proven here, or both if they are equal. RFC 9449 §10.1, PA-07. */
async function requestedKey(
  named: string | undefined,
  { request, deps }: EndpointContext,
): Promise<string | undefined> {
  if (!request.headers.has("dpop")) return named;
  const proven = await requireProof(request, { nonce: false }, deps);
  if (named === undefined || named === proven) return proven;
  const description = "dpop_jkt is not the thumbprint of the key in the DPoP proof.";
  throw new OAuthError("invalid_request", "dpop_key_differs", description, { description });
}

/**
 * Limits pushes, because each writes a row: per client and caller, and per network unless an admin registered the
 * client as confidential. With open registration anyone can have a confidential client. RFC 9126 §2.3.
 */
async function limitRate(client: Client, { deps: { pushLimits }, caller }: EndpointContext): Promise<void> {
  if (!pushLimits) return;
  const trusted = isConfidential(client) && !isSelfDescribed(client);
  const counts: [Throttle, ThrottleKey][] = [
    [trusted ? pushLimits.trustedClient : pushLimits.client, callerKey(caller, client.clientId)],
    ...(trusted ? [] : [[pushLimits.network, networkKey(caller)] as [Throttle, ThrottleKey]]),
  ];
  const waitSeconds = Math.max(...counts.map(([throttle, key]) => throttle.waitSeconds(key)));
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  await Promise.all(counts.map(([throttle, key]) => throttle.failed(key)));
}

function tooMany(waitSeconds: number): OAuthError {
  return new OAuthError(
    "temporarily_unavailable",
    "rate_limited",
    "too many pushed requests of this client or network",
    {
      description: "Too many requests. Try again later.",
      status: 429,
      headers: { "Retry-After": String(waitSeconds) },
    },
  );
}

function tooLarge(): OAuthError {
  const description = `The request is longer than ${MAX_QUERY_LENGTH} characters.`;
  return new OAuthError("invalid_request", "request_too_large", description, { description, status: 413 });
}
