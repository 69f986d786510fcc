/** @jsxImportSource preact */
import { completeUpstream, endAttemptCookies, findMissingProofs, type UpstreamResult, withFirst } from "@gatehouse/accounts";
import { type ActiveSession, raiseSession, sessionCookie, type User } from "@gatehouse/auth";
import { MessagePage } from "../../../../views/message.tsx";
import { confirmPath } from "../../../../views/sign-in/confirm.tsx";
import type { Visit } from "../../../routing/route.ts";
import { accountRequest } from "../../account/request.ts";
import { rotated } from "../../cookies/session.ts";
import { page, seeOther, withCookies } from "../../responses/respond.tsx";
import { signedIn } from "../sign-in.tsx";
import { explainAt, findEnabled, toSignIn, unknownAttempt, upstreamFailed } from "./departure.tsx";
import { refusalOf } from "./refusal.ts";

/** Takes the browser back from a provider. UP-03…UP-09. */
export async function arriveFromProvider(providerId: string, parameters: URLSearchParams, visit: Visit): Promise<Response> {
  const { app, request, session } = visit;
  const cookieHeader = request.headers.get("cookie");
  const callback = { providerId, parameters, cookieHeader, session, request: accountRequest(visit) };
  const result = await completeUpstream(callback, app.deps);
  if (result.kind === "unknown") return unknownAttempt(visit);
  const response = await answer(result, visit);
  return withCookies(response, endAttemptCookies(result.attempt.state, cookieHeader, app.deps));
}

async function answer(result: Exclude<UpstreamResult, { kind: "unknown" }>, visit: Visit): Promise<Response> {
  const { attempt } = result;
  const { request, next, keep, providerId } = attempt;
  switch (result.kind) {
    case "signed_in":
      return signedIn(result.person, result.factor, { continuation: { request, next }, keep }, visit);
    case "prove":
      return toSignIn(attempt, { email: result.email }, [result.cookie]);
    case "connected":
      return seeOther("/account/security?notice=identity_connected", {
        cookies: visit.session ? await rotated(visit.session, visit.app) : [], // §7
      });
    case "confirmed":
      return confirmed(result, visit);
    case "failed":
      return upstreamFailed(result.error, attempt, await findEnabled(providerId, visit), visit);
    case "refused": {
      const error = refusalOf(result.reason, `${providerId}: ${result.reason}`);
      return explainAt(attempt, error, result.reason, await findEnabled(providerId, visit), visit);
    }
  }
}

/**
 * The first factor was taken again: the session has a new secret and time. Without its second factor within ten minutes it has the level of the provider
 * alone, until the next page has asked for that: a new time beside an old level would count as a fresh sign-in with every factor. SN-03, AL-04, CO-88.
 */
async function confirmed({ attempt, factor }: Extract<UpstreamResult, { kind: "confirmed" }>, visit: Visit): Promise<Response> {
  const { session, app } = visit;
  const now = app.deps.now();
  const signedInAt = factor.method === "upstream" ? factor.authTime : now;
  if (session && signedInAt === null && (await canProveMore(session.user, visit))) {
    const error = refusalOf("sign_in_too_old", `${attempt.providerId} does not say when the user signed in`);
    return explainAt(attempt, error, "sign_in_too_old", await findEnabled(attempt.providerId, visit), visit);
  }
  const raised = session && (await raiseSession(session, withFirst(await recentOf(session, visit), factor, now), app.deps));
  if (!raised) return unknownAttempt(visit);
  // There the second factor is asked for, if it is missing.
  const next = confirmPath({ next: attempt.next, form: attempt.request });
  return seeOther(next, { cookies: [sessionCookie(raised.secret, raised.session, app.deps.config)] });
}

/** What the session proved, if that counts beside a first factor of now. */
async function recentOf(active: ActiveSession, { app }: Visit): Promise<ActiveSession["session"] | undefined> {
  return (await findMissingProofs(active, app.deps)).second === null ? active.session : undefined;
}

/** Has the user a password or a passkey? Then a provider that may have let the browser through without asking confirms nothing. UP-13. */
async function canProveMore({ id, email }: User, { app: { deps } }: Visit): Promise<boolean> {
  const [person, { passkey }] = await Promise.all([deps.people.findPersonByEmail(email), deps.store.findEnrolment(id)]);
  return passkey || person?.passwordHash != null;
}

/** N61: the identity is the only way into the account. */
export function lastWayInPage({ frame }: Visit): Response {
  const { title, lastWayIn } = frame.texts.upstream;
  const content = (
    <MessagePage frame={frame} title={title} action={{ label: frame.texts.errors.account, href: "/account/security" }}>
      {lastWayIn}
    </MessagePage>
  );
  return page(content, { status: 409 });
}
