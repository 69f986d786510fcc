import { type Account, deleteAccount, graceDaysOf } from "@gatehouse/accounts";
import { type ActiveSession, clearSessionCookie } from "@gatehouse/auth";
import { moment } from "@gatehouse/languages";
import { DeleteAccountPage } from "../../../views/account/delete.tsx";
import { MessagePage } from "../../../views/message.tsx";
import type { Visit } from "../../routing/visit.ts";
import { sessionCsrf } from "../forms/csrf.ts";
import { notSignedIn } from "../responses/not-signed-in.ts";
import { page } from "../responses/respond.ts";
import { requireFreshSignIn } from "../sign-in/confirm.tsx";
import { accountRequest } from "./request.ts";

/** Asks before the account is deleted. RG-10. */
export async function showDeletion(visit: Visit<ActiveSession>): Promise<Response> {
  const stale = await requireFreshSignIn(visit);
  if (stale) return stale;
  const account = await visit.app.deps.people.findAccount(visit.session.user.id);
  return account ? ask(visit, account) : notSignedIn("signed_in", visit.request, visit.app.deps);
}

/** Deletes the account of the session. RG-10. */
export async function submitDeletion(visit: Visit<ActiveSession>): Promise<Response> {
  const stale = await requireFreshSignIn(visit);
  if (stale) return stale;
  const { app, session, request, texts, frame } = visit;
  const account = await app.deps.people.findAccount(session.user.id);
  if (!account) return notSignedIn("signed_in", request, app.deps);
  const outcome = await deleteAccount(account, accountRequest(visit), app.deps);
  if (outcome.kind === "last_admin") return ask(visit, account, texts.deletion.lastAdmin);

  const { doneTitle, done, goneTitle, gone } = texts.deletion;
  const isGone = outcome.deleteAfter === null;
  const children = outcome.deleteAfter === null ? gone : done(moment(outcome.deleteAfter, frame.locale));
  const message = MessagePage({ frame, title: isGone ? goneTitle : doneTitle, children });
  return page(message, { cookies: [clearSessionCookie(app.deps.config)] });
}

function ask(visit: Visit<ActiveSession>, account: Account, problem?: string): Response {
  const graceDays = graceDaysOf(account, visit.app.deps);
  const props = { frame: visit.frame, csrf: sessionCsrf(visit), graceDays, problem };
  return page(DeleteAccountPage(props), { status: problem === undefined ? 200 : 409 });
}
