import { isSubsetScope } from "@gatehouse/guard";
import { hasAssuredIdentity } from "../clients/client.ts";
import { shownIdentity } from "../clients/shown-identity.ts";
import type { Deps } from "../deps.ts";
import type { ActiveSession } from "../sessions/session.ts";
import type { Consent } from "../store/consents.ts";
import type { AuthorizationRequest } from "./checks.ts";

type ConsentRequest = Pick<AuthorizationRequest, "client" | "scope" | "audience" | "prompts" | "exemption">;

/**
 * Must the user be asked? Not if the client's identity is assured and it is first-party or has consent for the scope
 * and the APIs (AZ-32, AZ-33). Under an exemption it always is (CO-30, CO-39).
 */
export async function needsConsent(
  request: ConsentRequest,
  active: ActiveSession,
  deps: Pick<Deps, "store" | "config">,
): Promise<boolean> {
  const { client, scope, audience, prompts } = request;
  if (prompts.has("consent")) return true;
  if (client.firstParty && countsConsent(request)) return false;
  const remembered = await rememberedConsent(request, active, deps);
  return (
    !remembered ||
    !isSubsetScope(scope, remembered.scope) ||
    !isSubsetScope(audience ?? deps.config.resource, remembered.audience)
  );
}

/**
 * Earlier consent to this client, if it counts: the client cannot be impersonated, and is still what the user was told
 * then. AZ-32, CI-06.
 */
export async function rememberedConsent(
  request: Pick<ConsentRequest, "client" | "exemption">,
  { user }: ActiveSession,
  deps: Pick<Deps, "store">,
): Promise<Consent | undefined> {
  if (!countsConsent(request)) return undefined;
  const found = await deps.store.findConsent(user.id, request.client.clientId);
  return found?.identity === shownIdentity(request.client) ? found : undefined;
}

function countsConsent({ client, exemption }: Pick<ConsentRequest, "client" | "exemption">): boolean {
  return hasAssuredIdentity(client) && !exemption;
}
