import { parseUrl } from "@gatehouse/net";
import { isUrlClientId } from "../clients/metadata-document.ts";
import type { Hash } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { LIFETIME } from "../lifetimes.ts";
import { type AuthorizationParameters, readParameters, writeParameters } from "./parameters.ts";

/**
 * An authorization request that waits for the user, as one sealed value in a URL or a hidden field. Nothing is stored before the
 * user acts, and the value cannot be altered (AZ-31, D15).
 */
export type PendingRequest = {
  params: URLSearchParams;
  issuedAt: number;
  /** Id of the session when the request was sealed. The consent step requires the same one, a forced sign-in a different one. */
  sessionId: string | null;
  /** Hash of the pushed request it comes from, if any. RFC 9126. */
  pushed: Hash | undefined;
  /** Id of the test run that pushed it, if one did. CO-38. */
  testRunId?: string;
};

/** The step that a sealed value is for. It does not open for the other one. */
export type Step = "sign-in" | "consent";

const PURPOSE = { "sign-in": "pending request", consent: "pending consent" } as const satisfies Record<Step, string>;

/** Seals a request for the next 30 minutes. */
export function sealRequest(
  step: Step,
  parameters: AuthorizationParameters,
  sessionId: string | null,
  deps: Pick<Deps, "seal" | "now">,
): string {
  return deps.seal.seal(
    PURPOSE[step],
    JSON.stringify([writeParameters(parameters), deps.now(), sessionId, parameters.pushed, parameters.testRun?.id]),
  );
}

/** Opens a value of {@link sealRequest}; undefined when it is altered, for another step or expired. */
export function openRequest(step: Step, sealed: string, deps: Pick<Deps, "seal" | "now">): PendingRequest | undefined {
  const pending = open(step, sealed, deps);
  return pending && deps.now() < pending.issuedAt + LIFETIME.pendingRequestSeconds ? pending : undefined;
}

/**
 * The local path that restarts a request that has expired or belongs to another session. Undefined for a value we did not seal, and
 * for a pushed request, whose `request_uri` is used up.
 */
export function restartPath(sealed: string, deps: Pick<Deps, "seal">): string | undefined {
  const pending = open("sign-in", sealed, deps) ?? open("consent", sealed, deps);
  return pending && pending.pushed === undefined ? `/authorize?${pending.params}` : undefined;
}

/** The languages that the client asked for in a pending request of either step, expired or not. OpenID Connect Core §3.1.2.1. */
export function uiLocalesOf(sealed: string, deps: Pick<Deps, "seal">): string | undefined {
  const pending = open("sign-in", sealed, deps) ?? open("consent", sealed, deps);
  return pending && readParameters(pending.params).values.ui_locales;
}

/** The client that a sign-in counts for: that of a pending request, expired or not; null for a test run, or if this server did not seal it. */
export function clientIdOfRequest(sealed: string, deps: Pick<Deps, "seal">): string | null {
  const pending = open("sign-in", sealed, deps);
  return pending?.testRunId === undefined ? (pending?.params.get("client_id") ?? null) : null;
}

/**
 * The same pending request with the language that the user switched to in front of those that the client asked for, so that every later
 * page of the flow has it. Undefined for a value that this server did not seal. LG-01.
 */
export function preferLocale(sealed: string, locale: string, deps: Pick<Deps, "seal">): string | undefined {
  for (const step of ["sign-in", "consent"] as const) {
    const pending = open(step, sealed, deps);
    if (!pending) continue;
    const { params, issuedAt, sessionId, pushed, testRunId } = pending;
    const others = (params.get("ui_locales") ?? "").split(" ").filter((tag) => tag !== "" && tag !== locale);
    params.set("ui_locales", [locale, ...others].join(" "));
    return deps.seal.seal(PURPOSE[step], JSON.stringify([params.toString(), issuedAt, sessionId, pushed, testRunId]));
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
  return client?.enabled ? { clientId: client.clientId, applicationName: client.applicationName, loginHint } : undefined;
}

/** What a pending request asks of the sign-in itself, for a provider to ask the same. `maxAgeSeconds` is 0 for a forced sign-in. UP-13. */
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

type Sealed = [params: string, issuedAt: number, sessionId: string | null, pushed: Hash | null, testRunId?: string | null];

function open(step: Step, sealed: string, deps: Pick<Deps, "seal">): PendingRequest | undefined {
  const clear = deps.seal.open(PURPOSE[step], sealed);
  if (clear === undefined) return undefined;
  const [params, issuedAt, sessionId, pushed, testRunId]: Sealed = JSON.parse(clear); // sealed by us, so it has this shape
  const request = { params: new URLSearchParams(params), issuedAt, sessionId, pushed: pushed ?? undefined };
  return testRunId ? { ...request, testRunId } : request;
}
