import {
  addTotp,
  openRequiredChange,
  type Person,
  proofOfFirst,
  provePasskey,
  type SecondFactor,
  spendTicket,
  verifySecondCode,
  withSecond,
} from "@gatehouse/accounts";
import { ACR, type ActiveSession, raiseSession, resumeAuthorization, sessionCookie } from "@gatehouse/auth";
import { sourceOf } from "../../../server/pages/account/frame.ts";
import { proceed } from "../../../server/pages/authorization/respond.tsx";
import { rememberThisBrowser } from "../../../server/pages/cookies/remembered-browser.ts";
import { noTicketCookie } from "../../../server/pages/cookies/ticket.ts";
import { outOfDate } from "../../../server/pages/responses/out-of-date.tsx";
import { seeOther, withCookies } from "../../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../../server/pages/responses/too-many-attempts.tsx";
import { beginSession, type CompleteSignIn } from "../../../server/pages/sign-in/begin-session.ts";
import { countSignIn } from "../../../server/pages/sign-in/count-sign-in.ts";
import { mustReplacePassword, requiredChangeTicket, requiredPasswordPage } from "../../../server/pages/sign-in/new-password.ts";
import { passkeyOffer } from "../../../server/pages/sign-in/passkey-offer.tsx";
import { actingBrowser, postedCeremony } from "../../../server/pages/sign-in/passkeys.ts";
import { restoreOffer } from "../../../server/pages/sign-in/restore.tsx";
import {
  askForStep,
  confirmationBefore,
  mayDecline,
  mustEnrol,
  passkeyPurposeOf,
  type StepSubject,
  showNewCodes,
  subjectId,
  subjectOf,
} from "../../../server/pages/sign-in/second-step.tsx";
import { browserOf, continuationOf, continueTo, signInPage } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { type Continuation, continuationQuery } from "../../../views/sign-in/sign-in.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/second-step", { GET: show, POST: submit });

async function show(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const continuation = continuationOf(searchParams);
  const subject = await subjectOf(searchParams, continuation, visit);
  if (!subject) return elsewhere(searchParams, continuation, visit);
  return askForStep(subject, continuation, { recovery: searchParams.get("recovery") === "1" }, visit);
}

/** Nothing to ask: a session that meets the request goes on, anybody else signs in. */
function elsewhere(fields: URLSearchParams, continuation: Continuation, visit: Visit): Promise<Response> | Response {
  if (fields.get("raise") === "1" && visit.session) return continueTo(continuation, visit.session, [], visit);
  return seeOther(`/sign-in${continuationQuery(continuation)}`);
}

async function submit(visit: Visit): Promise<Response> {
  const { form, session } = visit;
  const continuation = continuationOf(form);
  const action = form.get("action");
  const change = action === "continue" ? form.get("ticket") : null;
  if (change !== null) return changePassword(change, continuation, visit);
  if (action === "continue" && session) return continueTo(continuation, session, [], visit);
  const subject = await subjectOf(form, continuation, visit);
  if (!subject) return expired(continuation, visit);
  if (form.get("subject") !== subjectId(subject)) return outOfDate(visit);
  if (action === "not_now" && mayDecline(subject) && session) return decline(continuation, session, visit);
  return mustEnrol(subject) ? enrol(subject, continuation, visit) : verify(subject, continuation, visit);
}

/** Back to the start, with the request. */
async function expired(continuation: Continuation, visit: Visit): Promise<Response> {
  const response = await signInPage(visit, { continuation, problem: visit.texts.secondStep.expired }, 400);
  return withCookies(response, [noTicketCookie(visit)]);
}

async function decline({ request = "" }: Continuation, session: ActiveSession, { app, caller, frame }: Visit): Promise<Response> {
  return proceed(await resumeAuthorization(request, session, app.deps, caller, { declined: true }), frame);
}

/** After recovery codes were shown: the required change of the password. PW-04, UM-03. */
async function changePassword(ticket: string, continuation: Continuation, visit: Visit): Promise<Response> {
  const open = await openRequiredChange({ ticket, browser: browserOf(visit).hash }, visit.app.deps);
  return open ? requiredPasswordPage(open.person, { ticket, continuation }, visit) : expired(continuation, visit);
}

/** Five wrong answers end a ticket, and wrong answers are counted for the account too. MF-02, AB-02. */
async function verify(subject: StepSubject, continuation: Continuation, visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const { user } = subject;
  const byTicket = app.deps.limits.ticket(subject.kind === "ticket" ? subject.ticket.id : `session ${subject.active.session.id}`);
  if ((await byTicket.begin()) > 0) return expired(continuation, visit);
  const byAccount = app.deps.limits.secondFactor(user.id);
  const waitSeconds = await byAccount.begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, visit, "/sign-in/second-step");

  const isKey = form.get("credential") !== null;
  const second = isKey ? await provenKey(subject, visit) : await typedCode(subject, visit);
  if (!second) {
    countSignIn("failed", "second_step", continuation, visit);
    const problem = isKey ? texts.secondStep.keyFailed : texts.secondStep.incorrect;
    return askForStep(subject, continuation, { problem, recovery: form.get("recovery") === "1" }, visit);
  }
  await Promise.all([byTicket.succeeded(), byAccount.succeeded()]);
  const passed = await pass(subject, second, continuation, visit);
  return passed ? goOn(passed, continuation, visit) : expired(continuation, visit);
}

async function typedCode({ user, ...subject }: StepSubject, visit: Visit): Promise<SecondFactor | undefined> {
  // A request for a passkey is not met by a code.
  if (subject.kind === "session" && subject.step.level === ACR.phr) return undefined;
  const by = { source: sourceOf(visit), locale: visit.locale };
  return (await verifySecondCode(user, visit.form.get("code") ?? "", by, visit.app.deps))?.factor;
}

async function provenKey(subject: StepSubject, visit: Visit): Promise<SecondFactor | undefined> {
  const posted = postedCeremony(visit.form);
  const proof = await provePasskey(posted, passkeyPurposeOf(subject), actingBrowser(visit), visit.app.deps);
  if (proof.kind === "refused") return undefined;
  return proof.userVerified ? "passkey" : "security_key";
}

async function enrol(subject: StepSubject, continuation: Continuation, visit: Visit): Promise<Response> {
  const confirmation = await confirmationBefore(subject, continuation, visit);
  if (confirmation !== undefined) return seeOther(confirmation);
  const { form, app, texts } = visit;
  const setup = form.get("setup") ?? "";
  const by = { source: sourceOf(visit), locale: visit.locale };
  const added = await addTotp({ ...subject.user, actor: subjectId(subject) }, setup, form.get("code") ?? "", by, app.deps);
  if (added.kind === "wrong_code") return askForStep(subject, continuation, { problem: texts.secondStep.setUpIncorrect, setup }, visit);
  if (added.kind === "expired") return askForStep(subject, continuation, { problem: texts.secondStep.setUpExpired }, visit);
  if (added.kind === "exists" || added.kind === "stale") return expired(continuation, visit);
  const passed = await pass(subject, "totp", continuation, visit);
  if (!passed) return expired(continuation, visit);
  if (!added.codes) return goOn(passed, continuation, visit);
  const fields = passed.kind === "new_password" ? { ...continuation, ticket: passed.ticket } : continuation;
  return showNewCodes(added.codes, fields, passed.cookies, visit);
}

type Passed =
  | { kind: "session"; active: ActiveSession /** Of a session that just began. */; signIn?: CompleteSignIn; cookies: string[] }
  /** The password has to be replaced before there is a session. PW-04, UM-03. */
  | { kind: "new_password"; person: Person; ticket: string; cookies: string[] }
  /** The account has to be restored before there is a session. RG-10. */
  | { kind: "restore"; person: Person; signIn: CompleteSignIn; cookies: string[] };

async function goOn(passed: Passed, continuation: Continuation, visit: Visit): Promise<Response> {
  const { cookies } = passed;
  if (passed.kind === "new_password")
    return requiredPasswordPage(passed.person, { ticket: passed.ticket, continuation }, visit, { cookies });
  if (passed.kind === "restore") return withCookies(restoreOffer(passed.person, passed.signIn, continuation, visit), cookies);
  const offer = passed.signIn && (await passkeyOffer(passed.active.user.id, passed.signIn, continuation, visit));
  if (offer) return seeOther(offer.path, { cookies: [...cookies, offer.cookie] });
  return continueTo(continuation, passed.active, cookies, visit);
}

/** Begins the session of a ticket, or raises the level of a session. Undefined if somebody else did so with the same one. */
async function pass(subject: StepSubject, second: SecondFactor, continuation: Continuation, visit: Visit): Promise<Passed | undefined> {
  const { deps } = visit.app;
  const now = deps.now();
  if (subject.kind === "session") {
    const raised = await raiseSession(subject.active, withSecond(subject.active.session, second, now), deps);
    return raised && { kind: "session", active: raised, cookies: [sessionCookie(raised.secret, raised.session, deps.config)] };
  }
  const { ticket, user } = subject;
  if (!(await spendTicket(ticket, deps))) return undefined;
  const first = proofOfFirst(ticket.factor, ticket.issuedAt); // AL-03: the time of the first factor stays
  const proof = { ...first, ...withSecond(first, second, now) };
  const { factor, keep, canMakePasskey = false } = ticket;
  const signIn = { factor, proof, keep, canMakePasskey };
  if (user.deleteAfter !== null) return { kind: "restore", person: user, signIn, cookies: [noTicketCookie(visit)] };
  const remember = visit.form.get("remember") === "1";
  if (mustReplacePassword(user, ticket.factor)) {
    const change = requiredChangeTicket(user, { ...signIn, remember }, continuation, visit);
    return { kind: "new_password", person: user, ticket: change, cookies: [noTicketCookie(visit)] };
  }
  const { session, cookies } = await beginSession(user, signIn, visit);
  countSignIn("succeeded", signIn.factor.method, continuation, visit);
  const remembered = remember ? [await rememberThisBrowser(user, visit)] : [];
  return { kind: "session", active: { session, user }, signIn, cookies: [...cookies, ...remembered, noTicketCookie(visit)] };
}
