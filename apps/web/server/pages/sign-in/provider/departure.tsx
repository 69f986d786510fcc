/** @jsxImportSource preact */
import {
  beginUpstream,
  type Continuation,
  findProviderOfAddress,
  normaliseEmail,
  PROVIDER_CAUSES,
  recordSignIn,
  type SignInCause,
  type SignInProvider,
  type SignInSubject,
  type UpstreamAttempt,
  UpstreamError,
} from "@gatehouse/accounts";
import { type ActiveSession, describeSignInDemand, OAuthError, recordRefusal } from "@gatehouse/auth";
import { MessagePage } from "../../../../views/message.tsx";
import { confirmPath } from "../../../../views/sign-in/confirm.tsx";
import type { Visit } from "../../../routing/visit.ts";
import { accountRequest } from "../../account/request.ts";
import { budgetCookies } from "../../cookies/budget.ts";
import { signInBrowser } from "../../cookies/sign-in.ts";
import { pageRefusal } from "../../responses/errors.tsx";
import { page, seeOther } from "../../responses/respond.ts";
import { refusalOf, type UpstreamProblemKey } from "./refusal.ts";

/** Where a sign-in at a provider starts. */
export type Departure = Continuation & { keep: boolean; loginHint?: string | null };

const CALLBACK = "/sign-in/with/[provider]/callback";

/** Sends the browser to a provider to sign in. UP-02. */
export function goToProvider(
  providerId: string,
  { loginHint, ...departure }: Departure,
  visit: Visit,
): Promise<Response> {
  const hint = normaliseEmail(loginHint ?? "");
  const demand = demandOf(departure, visit);
  return depart(providerId, { ...departure, ...demand, purpose: "sign_in", sessionId: null, loginHint: hint }, visit);
}

/** Sends the signed-in user to a provider to sign in again, for a request that asks for it. UP-13. */
export function goToProviderAgain(
  providerId: string,
  continuation: Continuation,
  visit: Visit<ActiveSession>,
): Promise<Response> {
  const { id: sessionId, persistent: keep } = visit.session.session;
  const demand = demandOf(continuation, visit);
  return depart(providerId, { ...continuation, ...demand, purpose: "renew", sessionId, keep }, visit);
}

/** What the pending request asks of a sign-in, for the provider to ask the same. UP-13. */
function demandOf({ request }: Continuation, { app }: Visit) {
  return request === undefined
    ? { maxAgeSeconds: null, selectAccount: false }
    : describeSignInDemand(request, app.deps);
}

type Typed = { email: string; continuation: Continuation; keep: boolean };

/**
 * Sends an address whose domain belongs to a provider there, whether or not there is an account; undefined for any
 * other. UP-10.
 */
export async function toProviderOfDomain(
  { email, continuation, keep }: Typed,
  visit: Visit,
): Promise<Response | undefined> {
  const address = normaliseEmail(email);
  if (address === undefined) return undefined;
  const provider = await findProviderOfAddress(address, signInBrowser(visit), visit.app.deps);
  return provider && goToProvider(provider.id, { ...continuation, keep, loginHint: address }, visit);
}

/**
 * Sends the signed-in user to a provider, to connect it or to confirm who they are. `form`: kept for after the
 * confirmation. UP-08, SN-03.
 */
export function goToProviderSignedIn(
  providerId: string,
  { purpose, next, form }: { purpose: "connect" | "confirm"; next: string | undefined; form?: string | undefined },
  visit: Visit<ActiveSession>,
): Promise<Response> {
  const maxAgeSeconds = purpose === "confirm" ? 0 : null;
  const start = {
    purpose,
    request: form,
    next,
    keep: true,
    maxAgeSeconds,
    selectAccount: false,
    sessionId: visit.session.session.id,
  };
  return depart(providerId, start, visit);
}

async function depart(providerId: string, start: Parameters<typeof beginUpstream>[1], visit: Visit): Promise<Response> {
  const { app, request } = visit;
  const provider = await findEnabled(providerId, visit);
  if (!provider) return unknownAttempt(visit);
  try {
    const header = request.headers.get("cookie");
    const { to, cookies } = await beginUpstream(provider, start, header, app.deps);
    if (budgetCookies(header, cookies, app.deps.config).isOver) return tooLong(visit);
    return seeOther(to, { cookies });
  } catch (thrown) {
    if (!(thrown instanceof UpstreamError)) throw thrown;
    return upstreamFailed(thrown, start, provider, visit);
  }
}

/** With the pending request in its cookies, the browser's next requests could not be read. */
function tooLong(visit: Visit): Promise<Response> {
  const description = "This request is too long to be kept while you are at a provider. Sign in in another way.";
  const error = new OAuthError("invalid_request", "request_too_large", "the cookies would be too long", {
    description,
    status: 413,
  });
  return pageRefusal(error, "/sign-in/with/[provider]", visit);
}

/** What the browser sees when a provider fails, or answers with what is not valid. UP-05. */
export async function upstreamFailed(
  error: UpstreamError,
  attempt: Pick<UpstreamAttempt, "purpose" | "request" | "next">,
  provider: SignInProvider | undefined,
  visit: Visit,
): Promise<Response> {
  const refusal = refusalOf(error.problem, error.message, error);
  // Somebody forged this answer, or the provider is broken: not a page to try again from by itself.
  if (error.problem !== "answer_invalid")
    return explainAt(attempt, { error: refusal, problem: error.problem }, provider, visit);
  const errorId = await recordUpstreamRefusal(refusal, visit);
  await recordFailedSignIn(attempt, { error: refusal, problem: error.problem }, { provider, errorId }, visit);
  return messagePage(refusal, { text: visit.texts.upstream.invalidText(provider?.name ?? "?"), errorId }, visit);
}

/**
 * A problem that the sign-in page explains. `who` and `cause`: for the sign-in log, where the problem does not say it
 * all.
 */
export type ExplainedProblem = {
  error: OAuthError;
  problem: UpstreamProblemKey;
  who?: SignInSubject;
  cause?: SignInCause | undefined;
};

/** Back to the page that the user came from, with the problem and the pending request. UP-05. */
export async function explainAt(
  attempt: Pick<UpstreamAttempt, "purpose" | "request" | "next">,
  explained: ExplainedProblem,
  provider: SignInProvider | undefined,
  visit: Visit,
): Promise<Response> {
  const { purpose, request, next } = attempt;
  const { error, problem } = explained;
  const errorId = await recordUpstreamRefusal(error, visit);
  if (purpose === "connect" || purpose === "confirm")
    return messagePage(error, { text: visit.texts.upstream.problems[problem](provider?.name ?? "?"), errorId }, visit);
  await recordFailedSignIn(attempt, explained, { provider, errorId }, visit);
  const said = { provider: provider?.id ?? "", problem, error_id: errorId };
  if (purpose === "sign_in") return toSignIn({ request, next }, said);
  return seeOther(`${confirmPath({ request, next, form: undefined })}&${new URLSearchParams(said)}`);
}

const recordUpstreamRefusal = (error: OAuthError, { app, caller }: Visit): Promise<string> =>
  recordRefusal(error, { endpoint: CALLBACK, clientId: null }, app.deps, caller);

async function recordFailedSignIn(
  { purpose, request }: Pick<UpstreamAttempt, "purpose" | "request">,
  { error, problem, who, cause }: Omit<ExplainedProblem, "problem"> & { problem: keyof typeof PROVIDER_CAUSES },
  { provider, errorId }: { provider: SignInProvider | undefined; errorId: string },
  visit: Visit,
): Promise<void> {
  if (purpose !== "sign_in" && purpose !== "renew") return;
  const detail = { provider: provider?.id ?? null, message: error.message };
  const facts = { factor: "upstream", cause: cause ?? PROVIDER_CAUSES[problem], who, detail, errorId } as const;
  await recordSignIn(facts, { request }, accountRequest(visit), visit.app.deps);
}

/** To the sign-in page, which says what happened by keys in the query. */
export function toSignIn(
  { request, next }: Partial<Continuation>,
  said: Record<string, string>,
  cookies: readonly string[] = [],
): Response {
  const query = new URLSearchParams(said);
  if (request !== undefined) query.set("request", request);
  if (next !== undefined) query.set("next", next);
  return seeOther(`/sign-in?${query}`, { cookies });
}

/** 400: nothing in this browser began what the provider answers. UP-03. */
export async function unknownAttempt(visit: Visit): Promise<Response> {
  const error = refusalOf("unknown", "no such attempt in this browser");
  const errorId = await recordUpstreamRefusal(error, visit);
  return messagePage(error, { text: visit.texts.upstream.unknownText, errorId }, visit);
}

function messagePage(
  error: OAuthError,
  { text, errorId }: { text: string; errorId: string },
  { frame }: Visit,
): Response {
  const { unknown, startAgain } = frame.texts.upstream;
  const content = (
    <MessagePage frame={frame} title={unknown} errorId={errorId} action={{ label: startAgain, href: "/sign-in" }}>
      {text}
    </MessagePage>
  );
  return page(content, { status: error.status, headers: { "Gatehouse-Error-Id": errorId } });
}

/** The provider, if it is switched on. */
export async function findEnabled(id: string, { app }: Visit): Promise<SignInProvider | undefined> {
  return (await app.deps.people.listSignInProviders()).find((provider) => provider.id === id && provider.enabled);
}
