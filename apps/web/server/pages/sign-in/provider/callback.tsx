/** @jsxImportSource preact */
import { completeUpstream, confirmAtProvider, endAttemptCookies, type UpstreamResult } from "@gatehouse/accounts";
import { sessionCookie } from "@gatehouse/auth";
import { MessagePage } from "../../../../views/message.tsx";
import { confirmPath } from "../../../../views/sign-in/confirm.tsx";
import type { Visit } from "../../../routing/visit.ts";
import { accountRequest } from "../../account/request.ts";
import { renewSession } from "../../cookies/session.ts";
import { page, seeOther, withCookies } from "../../responses/respond.ts";
import { signInResponse } from "../next-step.ts";
import { explainAt, findEnabled, toSignIn, unknownAttempt, upstreamFailed } from "./departure.tsx";
import { refusalOf } from "./refusal.ts";
import { toTestReport } from "./test.ts";

/** Takes the browser back from a provider. UP-03…UP-09. */
export async function arriveFromProvider(
  providerId: string,
  parameters: URLSearchParams,
  visit: Visit,
): Promise<Response> {
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
      return signInResponse(result.account, result.factor, { continuation: { request, next }, keep }, visit);
    case "prove":
      return toSignIn(attempt, { email: result.email }, [result.cookie]);
    case "connected":
      return seeOther("/account/security?notice=identity_connected", {
        cookies: visit.session ? (await renewSession({ session: visit.session, app: visit.app })).cookies : [], // WE-02
      });
    case "confirmed":
      return confirmed(result, visit);
    case "tested":
      return toTestReport(result, visit);
    case "failed":
      return upstreamFailed(result.error, attempt, await findEnabled(providerId, visit), visit);
    case "refused": {
      const error = refusalOf(result.reason, `${providerId}: ${result.reason}`);
      const { reason: problem, who, cause } = result;
      return explainAt(attempt, { error, problem, who, cause }, await findEnabled(providerId, visit), visit);
    }
  }
}

/** Goes on at the confirmation page, which asks for the second factor if it is missing. SN-03. */
async function confirmed(
  { attempt, factor }: Extract<UpstreamResult, { kind: "confirmed" }>,
  visit: Visit,
): Promise<Response> {
  const { session, app } = visit;
  const outcome = session && (await confirmAtProvider(session, factor, app.deps));
  if (outcome?.kind === "undated") {
    const error = refusalOf("sign_in_too_old", `${attempt.providerId} does not say when the user signed in`);
    const provider = await findEnabled(attempt.providerId, visit);
    return explainAt(attempt, { error, problem: "sign_in_too_old" }, provider, visit);
  }
  if (outcome?.kind !== "confirmed") return unknownAttempt(visit);
  const next = confirmPath({ next: attempt.next, form: attempt.request });
  return seeOther(next, { cookies: [sessionCookie(outcome.secret, outcome.active.session, app.deps.config)] });
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
