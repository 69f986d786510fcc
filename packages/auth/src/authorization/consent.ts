import { scopeTokens } from "@gatehouse/guard";
import { type Client, isSelfDescribed } from "../clients/client.ts";
import { documentHost } from "../clients/metadata-document.ts";
import { redirectHost } from "../clients/redirect-uri.ts";
import { shownIdentity } from "../clients/shown-identity.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { requireExemptUser } from "../request-policy.ts";
import { type DescribedScope, describeScopes } from "../resources/registry.ts";
import type { ActiveSession } from "../sessions/session.ts";
import type { AuthorizationRequest } from "./checks.ts";
import { demandOf, type Lacking, lackingForGrant } from "./granting.ts";
import { levelStepOf } from "./level-step.ts";
import {
  type ConsentOffer,
  openRequest,
  type PendingRequest,
  sealConsent,
  sealConsentAgain,
  sealRequest,
} from "./pending-request.ts";
import { spendPushedRequest } from "./pushed-request.ts";
import { recheckRequest } from "./recheck.ts";
import { rememberedConsent } from "./remembered-consent.ts";
import { type AuthorizeResult, answerRequest, redirectWithCode, refuseExpiredRequest } from "./response.ts";

/** What the consent page shows. AZ-34. */
export type ConsentView = {
  /**
   * The value that the form sends back: the request with what this page shows, which is the most that the user can
   * allow. AZ-31.
   */
  request: string;
  client: Pick<Client, "clientId" | "applicationName" | "environment" | "type">;
  /** Where the response goes: a host, or the scheme of a native app. */
  redirectHost: string;
  /** `isNew`: not allowed to this client before; always true when the client could be impersonated. AZ-32. */
  scopes: (DescribedScope & { isNew: boolean })[];
  /** The response goes to a loopback address or a private scheme, which any program on the device can claim. NA-04. */
  unverified: boolean;
  /**
   * Set when no admin registered or approved the client; `documentHost` is the host of its metadata document, if it has
   * one. DC-06, CI-08.
   */
  selfDescribed: { documentHost: string | undefined } | undefined;
  /** An operator tests the client: what the user allows is not remembered. CO-39. */
  testRun: boolean;
  /** Every redirect URI is on this device, where any program may receive the response. CI-08. */
  onThisMachine: boolean;
};

/** The result that leads to the consent page. `since`: see {@link ConsentOffer}. */
export function askForConsent(
  request: AuthorizationRequest,
  { session }: ActiveSession,
  since: number,
  deps: Deps,
): AuthorizeResult {
  return { kind: "consent", request: sealConsent(request.parameters, session.id, consentOffer(request, since), deps) };
}

/**
 * What to ask the user. Undefined when the sealed request is expired, altered, of another session, or no longer valid.
 */
export async function openConsent(
  sealed: string,
  session: ActiveSession,
  deps: Deps,
): Promise<ConsentView | undefined> {
  const pending = openOwn(sealed, session, deps);
  const request = pending && (await recheckRequest(pending, deps));
  if (!request) return undefined;
  const { client, redirectUri, scope, exemption } = request;
  const remembered = await rememberedConsent(request, session, deps);
  const known = new Set(scopeTokens(remembered?.scope ?? ""));
  return {
    request: sealConsentAgain(pending, consentOffer(request, pending.offer.since), deps),
    client: {
      clientId: client.clientId,
      applicationName: client.applicationName,
      environment: client.environment,
      type: client.type,
    },
    redirectHost: redirectHost(redirectUri),
    scopes: (await describeScopes(scope, deps)).map((words) => ({ ...words, isNew: !known.has(words.name) })),
    unverified: client.type === "native" && !redirectUri.startsWith("https://"),
    selfDescribed: isUnapproved(client) ? { documentHost: documentHost(client) } : undefined,
    testRun: exemption?.isTest === true,
    onThisMachine: client.redirectUris.every((uri) => uri.startsWith("http:")),
  };
}

/**
 * Completes the request with the user's decision. Uses only the sealed request of the form, and validates it again
 * (AZ-31). Grants no more than the page showed; if the client has changed since, leads back to the page. `deny`
 * redirects `access_denied` (AZ-23). The caller must have verified the CSRF token.
 */
export async function decideConsent(
  sealed: string,
  decision: "allow" | "deny",
  session: ActiveSession,
  deps: Deps,
  caller: Caller,
): Promise<AuthorizeResult> {
  const pending = openOwn(sealed, session, deps);
  if (!pending) return refuseExpiredRequest(sealed, deps, caller);

  return answerRequest(pending, deps, caller, async (request) => {
    requireExemptUser(request.exemption, session.user);
    if (decision === "deny") {
      await spendPushedRequest(request.parameters.pushed, deps);
      throw new OAuthError("access_denied", "user_denied", "the user pressed Deny", {
        description: "the user denied the request",
        detail: { userId: session.user.id },
      });
    }
    const { since, identity } = pending.offer;
    const offer = consentOffer(request, since);
    if (offer.identity !== identity) return { kind: "consent", request: sealConsentAgain(pending, offer, deps) };
    const lacking = lackingForGrant(demandOf(request, since), session, deps.config);
    if (lacking !== undefined) return leadToGrant(lacking, request, session, deps);
    return redirectWithCode(request, session, { since, remember: !request.exemption }, deps);
  });
}

/** Sends the user to the step that the session now lacks. The request continues from there. MF-09. */
async function leadToGrant(
  lacking: Lacking,
  request: AuthorizationRequest,
  active: ActiveSession,
  deps: Deps,
): Promise<AuthorizeResult> {
  const sealed = sealRequest(request.parameters, active.session.id, deps);
  if (lacking === "verified_email") return { kind: "verify_email", request: sealed };
  const step = lacking === "level" ? await levelStepOf(request, active, deps) : undefined;
  if (step?.kind === "second_step") return { kind: "second_step", request: sealed };
  return { kind: "sign_in", request: sealed, loginHint: active.user.email, create: false, renews: true };
}

function consentOffer({ client, scope, audience }: AuthorizationRequest, since: number): ConsentOffer {
  return { scope, audience, identity: identityOnPage(client), since };
}

/** What the page says the client is, with whether it warns that no admin registered or approved it. */
export function identityOnPage(client: Client): string {
  return `${shownIdentity(client)}${isUnapproved(client) ? " unapproved" : ""}`;
}

function isUnapproved(client: Client): boolean {
  return isSelfDescribed(client) && client.approved !== true;
}

type OwnConsent = PendingRequest & { offer: ConsentOffer };

function openOwn(sealed: string, { session }: ActiveSession, deps: Pick<Deps, "seal" | "now">): OwnConsent | undefined {
  const pending = openRequest("consent", sealed, deps);
  return pending?.offer && pending.sessionId === session.id ? { ...pending, offer: pending.offer } : undefined;
}
