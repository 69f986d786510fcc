import { type Continuation, mayDecline, mustEnrol, openRequiredChange, stepId } from "@gatehouse/accounts";
import { type ActiveSession, resumeAuthorization } from "@gatehouse/auth";
import { authorizationResponse } from "../../../server/pages/authorization/respond.tsx";
import { browserOf } from "../../../server/pages/cookies/sign-in.ts";
import { outOfDate } from "../../../server/pages/responses/out-of-date.tsx";
import { seeOther } from "../../../server/pages/responses/respond.tsx";
import { continuationOf, continueTo } from "../../../server/pages/sign-in/continuation.ts";
import { newPasswordPage } from "../../../server/pages/sign-in/new-password.ts";
import { findStep, secondStepPage, stepExpired, submitEnrolment, submitSecondStep } from "../../../server/pages/sign-in/second-step.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { continuationQuery } from "../../../views/continuation.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/second-step", { GET: show, POST: submit });

/** With nothing to ask, a session that meets the request continues; otherwise the user signs in. */
async function show(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const continuation = continuationOf(searchParams);
  const subject = await findStep(searchParams, continuation, visit);
  if (subject) return secondStepPage(subject, continuation, { recovery: searchParams.get("recovery") === "1" }, visit);
  if (searchParams.get("raise") === "1" && visit.session) return continueTo(continuation, visit.session, [], visit);
  return seeOther(`/sign-in${continuationQuery(continuation)}`);
}

async function submit(visit: Visit): Promise<Response> {
  const { form, session } = visit;
  const continuation = continuationOf(form);
  if (form.get("action") === "continue") {
    const change = form.get("ticket");
    if (change !== null) return replacePassword(change, continuation, visit);
    if (session) return continueTo(continuation, session, [], visit);
  }
  const subject = await findStep(form, continuation, visit);
  if (!subject) return stepExpired(continuation, visit);
  if (form.get("subject") !== stepId(subject)) return outOfDate(visit);
  if (form.get("action") === "not_now" && mayDecline(subject) && session) return decline(continuation, session, visit);
  return mustEnrol(subject) ? submitEnrolment(subject, continuation, visit) : submitSecondStep(subject, continuation, visit);
}

/** After recovery codes were shown: the required change of the password. PW-04, UM-03. */
async function replacePassword(ticket: string, continuation: Continuation, visit: Visit): Promise<Response> {
  const open = await openRequiredChange({ ticket, browser: browserOf(visit) }, visit.app.deps);
  return open ? newPasswordPage(open.account, { ticket, continuation }, visit) : stepExpired(continuation, visit);
}

async function decline({ request = "" }: Continuation, session: ActiveSession, { app, caller, frame }: Visit): Promise<Response> {
  return authorizationResponse(await resumeAuthorization(request, session, app.deps, caller, { declined: true }), frame);
}
