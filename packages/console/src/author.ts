import { type Credential, hasSecondStep } from "@gatehouse/accounts";
import { ACR, meets } from "@gatehouse/auth";
import { CONSOLE_CLIENT_ID } from "./clients/built-in-clients.ts";
import type { Context, Principal, RequestSource } from "./context.ts";
import { type Author, freshForSeconds } from "./permissions.ts";

/**
 * Since when the sign-in counts as fresh, for the author; null if it was too long ago, if it left out the second factor
 * that the user has, as in a remembered browser, or if nobody knows when the first one was proved. SN-03, UP-13, CO-88.
 */
export async function freshSince(
  { userId, signedInAt, undated, acr }: Principal,
  { store, now }: Pick<Context["deps"], "store" | "now">,
): Promise<number | null> {
  if (undated || freshForSeconds(signedInAt, now()) === 0) return null;
  if (meets(acr ?? undefined, ACR.mfa)) return signedInAt;
  return hasSecondStep(await store.findEnrolment(userId)) ? null : signedInAt;
}

function credentialOf({ via, sessionId, grantId, apiToken }: Principal): Credential | undefined {
  if (apiToken) return { kind: "api_token", id: apiToken.id };
  if (via === "session") return sessionId === null ? undefined : { kind: "session", id: sessionId };
  return grantId == null ? undefined : { kind: "grant", id: grantId };
}

/**
 * The caller as the audit log names it, with the credential. `since`: what {@link freshSince} says; null where nothing
 * asks for a fresh sign-in.
 */
export function authorOf(
  principal: Principal,
  {
    address,
    userAgent = null,
    requestId = null,
  }: Pick<RequestSource, "address" | "userAgent"> & { requestId?: string | null },
  since: number | null,
): Author {
  const { userId, name, role, via, clientId, apiToken } = principal;
  const request = { address, userAgent, requestId, credential: credentialOf(principal) };
  if (apiToken)
    return {
      id: userId,
      name: `${apiToken.name} (API token of ${name})`,
      role,
      via: "api_token",
      freshSince: null,
      ...request,
    };
  const ownPages = via === "session" || clientId === CONSOLE_CLIENT_ID;
  return { id: userId, name, role, via: ownPages ? "console" : "api", freshSince: since, ...request };
}

/** Who starts an export, for its ticket. */
export function exportAuthor({ actor, principal: { scopes, sessionId } }: { actor: Author; principal: Principal }) {
  return { ...actor, scopes, sessionId };
}
