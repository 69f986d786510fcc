import { parseUrl } from "@gatehouse/runtime";
import { isUrlClientId } from "../clients/metadata-document.ts";
import type { Hash } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { LIFETIME } from "../lifetimes.ts";
import { type AuthorizationParameters, readParameters, writeParameters } from "./parameters.ts";

/**
 * An authorization request that waits for the user, as one sealed value in a URL or a hidden field. Nothing is stored
 * before the user acts, and the value cannot be altered (AZ-31, D15).
 */
export type PendingRequest = {
  params: URLSearchParams;
  issuedAt: number;
  /**
   * Id of the session when the request was sealed. The consent step requires the same one, a forced sign-in a different
   * one.
   */
  sessionId: string | null;
  /** Hash of the pushed request it comes from, if any. RFC 9126. */
  pushed: Hash | undefined;
  /** Id of the exemption that it was pushed under, if any. CO-38. */
  exemptionId?: string;
  /** What the consent page shows. Present at the consent step. */
  offer?: ConsentOffer;
};

/** What the consent page shows for a request, and so the most that the user can allow on it. AZ-31, AZ-33. */
export type ConsentOffer = {
  scope: string;
  /** As in an authorization code. */
  audience: string | null;
  /** What the page says the client is: {@link identityOnPage}. */
  identity: string;
  /** The user's sign-in was recent enough at this time. */
  since: number;
};

/** The step that a sealed value is for. It does not open for the other one. */
export type Step = "sign-in" | "consent";

const PURPOSE = { "sign-in": "pending request", consent: "pending consent" } as const satisfies Record<Step, string>;

/** Seals a request for the sign-in step, for the next 30 minutes. */
export function sealRequest(
  parameters: AuthorizationParameters,
  sessionId: string | null,
  deps: Pick<Deps, "seal" | "now">,
): string {
  return seal("sign-in", pendingOf(parameters, sessionId, deps), deps);
}

/** Seals a request for the consent page, with what the page offers, for the next 30 minutes. */
export function sealConsent(
  parameters: AuthorizationParameters,
  sessionId: string,
  offer: ConsentOffer,
  deps: Pick<Deps, "seal" | "now">,
): string {
  return seal("consent", { ...pendingOf(parameters, sessionId, deps), offer }, deps);
}

/** The same consent step with what the page offers now. It expires when it did before. */
export function sealConsentAgain(pending: PendingRequest, offer: ConsentOffer, deps: Pick<Deps, "seal">): string {
  return seal("consent", { ...pending, offer }, deps);
}

/**
 * Seals the way back to a device's request, through a sign-in or a second step. `client_id` and `user_code` are all it
 * says. RFC 8628 §3.3.
 */
export function sealDeviceRequest(
  { clientId, userCode }: { clientId: string; userCode: string },
  sessionId: string,
  deps: Pick<Deps, "seal" | "now">,
): string {
  const params = new URLSearchParams({ client_id: clientId, user_code: userCode });
  return seal("sign-in", { params, issuedAt: deps.now(), sessionId, pushed: undefined }, deps);
}

/** The user code of a device's request; undefined for an authorization request, which never has one. */
export function userCodeOf({ params }: Pick<PendingRequest, "params">): string | undefined {
  return params.get("user_code") ?? undefined;
}

function pendingOf(
  parameters: AuthorizationParameters,
  sessionId: string | null,
  { now }: Pick<Deps, "now">,
): PendingRequest {
  const { pushed, exemptionId } = parameters;
  const params = new URLSearchParams(writeParameters(parameters));
  return { params, issuedAt: now(), sessionId, pushed, ...(exemptionId !== undefined && { exemptionId }) };
}

function seal(step: Step, pending: PendingRequest, deps: Pick<Deps, "seal">): string {
  const { params, issuedAt, sessionId, pushed, exemptionId, offer } = pending;
  const sealed: Sealed = [params.toString(), issuedAt, sessionId, pushed ?? null, exemptionId ?? null, offer ?? null];
  return deps.seal.seal(PURPOSE[step], JSON.stringify(sealed));
}

/** Opens a value of {@link sealRequest}; undefined when it is altered, for another step or expired. */
export function openRequest(step: Step, sealed: string, deps: Pick<Deps, "seal" | "now">): PendingRequest | undefined {
  const pending = open(step, sealed, deps);
  return pending && deps.now() < pending.issuedAt + LIFETIME.pendingRequestSeconds ? pending : undefined;
}

/**
 * The local path that restarts a request that has expired or belongs to another session. Undefined for a value we did
 * not seal, and for a pushed request, whose `request_uri` is used up.
 */
export function restartPath(sealed: string, deps: Pick<Deps, "seal">): string | undefined {
  const pending = open("sign-in", sealed, deps) ?? open("consent", sealed, deps);
  if (!pending || pending.pushed !== undefined) return undefined;
  const userCode = userCodeOf(pending);
  return userCode === undefined ? `/authorize?${pending.params}` : devicePath(userCode);
}

/**
 * The same pending request for the sign-in page, of either step, when its session is gone. It expires when it did
 * before. A value that cannot be continued is returned as it is, so that the page after the sign-in says so.
 */
export function atSignIn(sealed: string, deps: Pick<Deps, "seal" | "now">): string {
  const pending = openRequest("consent", sealed, deps);
  if (!pending) return sealed;
  const { offer: _, ...request } = pending;
  return seal("sign-in", request, deps);
}

/** The local path of a device's request. */
export function devicePath(userCode: string): string {
  return `/device?${new URLSearchParams({ user_code: userCode })}`;
}

/**
 * The languages that the client asked for in a pending request of either step, expired or not. OpenID Connect Core
 * §3.1.2.1.
 */
export function uiLocalesOf(sealed: string, deps: Pick<Deps, "seal">): string | undefined {
  const pending = open("sign-in", sealed, deps) ?? open("consent", sealed, deps);
  return pending && readParameters(pending.params).values.ui_locales;
}

/**
 * The client that a sign-in counts for: that of a pending request, expired or not; null under an exemption, or if this
 * server did not seal it.
 */
export function clientIdOfRequest(sealed: string, deps: Pick<Deps, "seal">): string | null {
  const pending = open("sign-in", sealed, deps);
  return pending?.exemptionId === undefined ? (pending?.params.get("client_id") ?? null) : null;
}

/**
 * The same pending request with the language that the user switched to in front of those that the client asked for, so
 * that every later page of the flow has it. Undefined for a value that this server did not seal. LG-01.
 */
export function preferLocale(sealed: string, locale: string, deps: Pick<Deps, "seal">): string | undefined {
  for (const step of ["sign-in", "consent"] as const) {
    const pending = open(step, sealed, deps);
    if (!pending) continue;
    const { params } = pending;
    const others = (params.get("ui_locales") ?? "").split(" ").filter((tag) => tag !== "" && tag !== locale);
    params.set("ui_locales", [locale, ...others].join(" "));
    return seal(step, pending, deps);
  }
  return undefined;
}

/** What the sign-in and sign-up pages show about the pending request; undefined when it cannot be continued. */
export async function describePendingRequest(
  sealed: string,
  deps: Pick<Deps, "seal" | "now" | "store">,
): Promise<{ clientId: string; applicationName: string; loginHint: string | undefined } | undefined> {
  const pending = openRequest("sign-in", sealed, deps);
  if (!pending) return undefined;
  const { client_id: clientId, login_hint: loginHint } = readParameters(pending.params).values;
  const client = clientId === undefined ? undefined : await deps.store.findClient(clientId);
  // A metadata document is fetched only after sign-in (CI-07).
  const url = !client && clientId !== undefined && isUrlClientId(clientId) ? parseUrl(clientId) : undefined;
  if (url && clientId !== undefined) return { clientId, applicationName: url.host, loginHint };
  return client?.enabled
    ? { clientId: client.clientId, applicationName: client.applicationName, loginHint }
    : undefined;
}

/**
 * What a pending request asks of the sign-in itself, for a provider to ask the same. `maxAgeSeconds` is 0 for a forced
 * sign-in. UP-13.
 */
export function describeSignInDemand(
  sealed: string,
  deps: Pick<Deps, "seal" | "now">,
): { maxAgeSeconds: number | null; selectAccount: boolean } {
  const params = openRequest("sign-in", sealed, deps)?.params;
  const prompts = (params?.get("prompt") ?? "").split(" ");
  const maxAge = params?.get("max_age") ?? "";
  const asked = /^\d{1,9}$/.test(maxAge) ? Number(maxAge) : null;
  return { maxAgeSeconds: prompts.includes("login") ? 0 : asked, selectAccount: prompts.includes("select_account") };
}

type Sealed = [
  params: string,
  issuedAt: number,
  sessionId: string | null,
  pushed: Hash | null,
  exemptionId: string | null,
  offer: ConsentOffer | null,
];

function open(step: Step, sealed: string, deps: Pick<Deps, "seal">): PendingRequest | undefined {
  const clear = deps.seal.open(PURPOSE[step], sealed);
  if (clear === undefined) return undefined;
  // Sealed by us, so it has this shape
  const [params, issuedAt, sessionId, pushed, exemptionId, offer]: Sealed = JSON.parse(clear);
  const request = { params: new URLSearchParams(params), issuedAt, sessionId, pushed: pushed ?? undefined };
  return { ...request, ...(exemptionId && { exemptionId }), ...(offer && { offer }) };
}
