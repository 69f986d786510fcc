import { isUrlClientId } from "../clients/metadata-document.ts";
import type { Hash } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { LIFETIME } from "../lifetimes.ts";
import { type AuthorizationParameters, readParameters, writeParameters } from "./parameters.ts";

/**
 * An authorization request on its way through our pages, as one sealed value in the URL or a hidden field: no row is
 * written before the user acts, and nothing of it can be altered on the way (AZ-31, D15).
 */
export type PendingRequest = {
  params: URLSearchParams;
  issuedAt: number;
  /** The session at that moment. At the consent step it has to be the same still; after a forced sign-in, another. */
  sessionId: string | null;
  /** Set when the client pushed it beforehand. RFC 9126. */
  pushed: Hash | undefined;
};

/** Which step a sealed value is for; one does not open as the other. */
export type Step = "sign-in" | "consent";

const PURPOSE = { "sign-in": "pending request", consent: "pending consent" } as const satisfies Record<Step, string>;

/** Seals what we read of the request for the next 30 minutes. */
export function sealRequest(
  step: Step,
  parameters: AuthorizationParameters,
  sessionId: string | null,
  deps: Pick<Deps, "seal" | "now">,
): string {
  return deps.seal.seal(PURPOSE[step], JSON.stringify([writeParameters(parameters), deps.now(), sessionId, parameters.pushed]));
}

/** Opens a value of {@link sealRequest}; undefined when it was altered, is for another step or has expired. */
export function openRequest(step: Step, sealed: string, deps: Pick<Deps, "seal" | "now">): PendingRequest | undefined {
  const pending = open(step, sealed, deps);
  return pending && deps.now() < pending.issuedAt + LIFETIME.pendingRequestSeconds ? pending : undefined;
}

/**
 * Where to begin again with a request that has expired or belongs to another session: a local path to the authorization
 * endpoint. Undefined for what we never sealed, and for what was pushed: its reference has been used.
 */
export function restartPath(sealed: string, deps: Pick<Deps, "seal">): string | undefined {
  const pending = open("sign-in", sealed, deps) ?? open("consent", sealed, deps);
  return pending && pending.pushed === undefined ? `/authorize?${pending.params}` : undefined;
}

/** What the sign-in and sign-up pages may say about the request they are part of; undefined when it cannot go on. */
export async function describePendingRequest(
  sealed: string,
  deps: Pick<Deps, "seal" | "now" | "store">,
): Promise<{ clientId: string; applicationName: string; loginHint: string | undefined } | undefined> {
  const pending = openRequest("sign-in", sealed, deps);
  if (!pending) return undefined;
  const { client_id: clientId, login_hint: loginHint } = readParameters(pending.params).values;
  const client = clientId === undefined ? undefined : await deps.store.findClient(clientId);
  // One that is its own document is looked up only once the user has signed in (CI-07).
  if (!client && clientId !== undefined && isUrlClientId(clientId) && URL.canParse(clientId)) {
    return { clientId, applicationName: new URL(clientId).host, loginHint };
  }
  return client?.enabled ? { clientId: client.clientId, applicationName: client.applicationName, loginHint } : undefined;
}

function open(step: Step, sealed: string, deps: Pick<Deps, "seal">): PendingRequest | undefined {
  const clear = deps.seal.open(PURPOSE[step], sealed);
  if (clear === undefined) return undefined;
  const [params, issuedAt, sessionId, pushed]: [string, number, string | null, Hash | null] = JSON.parse(clear); // sealed by us, so it has this shape
  return { params: new URLSearchParams(params), issuedAt, sessionId, pushed: pushed ?? undefined };
}
