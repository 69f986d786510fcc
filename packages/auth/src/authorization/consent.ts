import { type Client, hasAssuredIdentity, isSelfDescribed } from "../clients/client.ts";
import { documentHost } from "../clients/metadata-document.ts";
import { redirectHost } from "../clients/redirect-uri.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { type DescribedScope, describeScopes } from "../resources/registry.ts";
import { isSubsetScope, mergeScopes, scopeTokens } from "../resources/scope.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { requireOperator } from "../test-runs/test-run.ts";
import type { AuthorizationRequest } from "./checks.ts";
import { openRequest, type PendingRequest } from "./pending-request.ts";
import { spendPushedRequest } from "./pushed-request.ts";
import { recheckRequest } from "./recheck.ts";
import { type AuthorizeResult, answerRequest, redirectWithCode, refuseExpiredRequest } from "./response.ts";

/** What the consent page shows. AZ-34. */
export type ConsentView = {
  client: Pick<Client, "clientId" | "applicationName" | "environment" | "type">;
  /** Where the response goes: a host, or the scheme of a native app. */
  redirectHost: string;
  /** `isNew`: not allowed to this client before; always true when the client could be impersonated. AZ-32. */
  scopes: (DescribedScope & { isNew: boolean })[];
  /** The response goes to a loopback address or a private scheme, which any program on the device can claim. NA-04. */
  unverified: boolean;
  /** Set when no admin registered or approved the client; `documentHost` is the host of its metadata document, if it has one. DC-06, CI-08. */
  selfDescribed: { documentHost: string | undefined } | undefined;
  /** An operator tests the client: what the user allows is not remembered. CO-39. */
  testRun: boolean;
  /** Every redirect URI is on this device, where any program may receive the response. CI-08. */
  onThisMachine: boolean;
};

type ConsentRequest = Pick<AuthorizationRequest, "client" | "scope" | "prompts" | "parameters" | "previewSlot">;

/** Must the user be asked? Not if the client's identity is assured and it is first-party or has consent for the scope (AZ-32, AZ-33). A preview always asks (CO-30). */
export async function needsConsent(
  { client, scope, prompts, parameters, previewSlot }: ConsentRequest,
  { user }: ActiveSession,
  deps: Pick<Deps, "store">,
): Promise<boolean> {
  if (prompts.has("consent") || parameters.testRun || previewSlot) return true;
  if (!hasAssuredIdentity(client)) return true;
  if (client.firstParty) return false;
  const remembered = await deps.store.findConsent(user.id, client.clientId);
  return remembered === undefined || !isSubsetScope(scope, remembered);
}

/** What to ask the user. Undefined when the sealed request is expired, altered, of another session, or no longer valid. */
export async function openConsent(sealed: string, session: ActiveSession, deps: Deps): Promise<ConsentView | undefined> {
  const pending = openOwn(sealed, session, deps);
  const request = pending && (await recheckRequest(pending, deps));
  if (!request) return undefined;
  const { client, redirectUri, scope, parameters, previewSlot } = request;
  const remembered =
    hasAssuredIdentity(client) && !parameters.testRun && !previewSlot
      ? await deps.store.findConsent(session.user.id, client.clientId)
      : undefined;
  const known = new Set(scopeTokens(remembered ?? ""));
  return {
    client: { clientId: client.clientId, applicationName: client.applicationName, environment: client.environment, type: client.type },
    redirectHost: redirectHost(redirectUri),
    scopes: (await describeScopes(scope, deps)).map((words) => ({ ...words, isNew: !known.has(words.name) })),
    unverified: client.type === "native" && !redirectUri.startsWith("https://"),
    selfDescribed: isSelfDescribed(client) && client.approved !== true ? { documentHost: documentHost(client) } : undefined,
    testRun: parameters.testRun !== undefined,
    onThisMachine: client.redirectUris.every((uri) => uri.startsWith("http:")),
  };
}

/**
 * Completes the request with the user's decision. Uses only the sealed request of the form, and validates it again (AZ-31). `deny`
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
    const { testRun, pushed } = request.parameters;
    requireOperator(testRun, session.user);
    if (decision === "deny") {
      await spendPushedRequest(pushed, deps);
      throw new OAuthError("access_denied", "user_denied", "the user pressed Deny", { description: "the user denied the request" });
    }
    if (testRun || request.previewSlot) return redirectWithCode(request, session, undefined, deps);
    const remembered = (await deps.store.findConsent(session.user.id, request.client.clientId)) ?? "";
    return redirectWithCode(request, session, mergeScopes(remembered, request.scope), deps);
  });
}

function openOwn(sealed: string, { session }: ActiveSession, deps: Pick<Deps, "seal" | "now">): PendingRequest | undefined {
  const pending = openRequest("consent", sealed, deps);
  return pending?.sessionId === session.id ? pending : undefined;
}
