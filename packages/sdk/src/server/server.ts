import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  clockSkew,
  clockTolerance,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import { isWithin, type Server } from "../process-state.ts";
import type { ServerSettings } from "../settings.ts";
import { askServer } from "./failure.ts";
import { requireServerApi } from "./server-api.ts";

/** What each request of oauth4webapi takes. */
export type Parties = { as: AuthorizationServer; client: Client; authentication: ClientAuth; options: RequestOptions };
export type RequestOptions = {
  [customFetch]: (url: string, init: object) => Promise<Response>;
  [allowInsecureRequests]: boolean;
  signal: () => AbortSignal;
};

/** A server that does not answer within this time counts as down. PK-32. */
const TIMEOUT_MS = 5000;
const METADATA_KEPT_MS = 600_000;
const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * Sends one request to the server, with its metadata (RFC 8414), which is kept for ten minutes; `fresh` fetches it again,
 * which shows whether the server is up. A request whose connection broke is sent again, but not with `once`.
 *
 * @throws GatehouseError `unavailable`, `server_error`, or `configuration` if the server is too old.
 */
export async function request<T>(
  { settings, state }: Server,
  send: (parties: Parties) => Promise<T>,
  { fresh = false, once = false } = {},
): Promise<T> {
  return askServer({ settings, state }, async () => {
    const as = await metadata({ settings, state }, fresh);
    const { clientId, now } = settings;
    const client: Client = {
      client_id: clientId,
      [clockSkew]: Math.round((now() - Date.now()) / 1000),
      [clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    };
    return send({
      as,
      client,
      authentication: await authenticationOf(settings),
      options: requestOptions(settings, once),
    });
  });
}

function requestOptions({ issuer, fetch }: ServerSettings, once = false): RequestOptions {
  const send = (url: string, init: object) => fetch(url, init as RequestInit);
  return {
    // Servers close idle connections, now and then just when one is used.
    [customFetch]: (url, init) =>
      send(url, init).catch((error: unknown) => {
        if (once || !(error instanceof TypeError)) throw error;
        return send(url, init);
      }),
    [allowInsecureRequests]: issuer.startsWith("http:"), // settings allow it on loopback only
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
  };
}

async function authenticationOf({ credential }: ServerSettings): Promise<ClientAuth> {
  if (credential.kind === "secret") return ClientSecretBasic(credential.secret);
  const { authenticationByKey } = await import("./client-key.ts");
  return authenticationByKey(credential.key);
}

/** One request for all who wait; a failure is not kept, but metadata from before the failure is. */
async function metadata({ settings, state }: Server, fresh: boolean): Promise<AuthorizationServer> {
  const { metadata: known } = state;
  if (known && !fresh && isWithin(known.at, METADATA_KEPT_MS, settings.now())) return known.pending;
  const at = settings.now();
  const pending = fetchMetadata(settings);
  state.metadata = { pending, at };
  try {
    return await pending;
  } catch (error) {
    if (state.metadata?.pending === pending) state.metadata = known;
    if (known && !fresh) return known.pending;
    throw error;
  }
}

async function fetchMetadata(settings: ServerSettings): Promise<AuthorizationServer> {
  const issuer = new URL(settings.issuer);
  const response = await discoveryRequest(issuer, { algorithm: "oauth2", ...requestOptions(settings) });
  const metadata = await processDiscoveryResponse(issuer, response);
  requireServerApi(metadata, settings.issuer);
  return metadata;
}
