import { type Account, deleteAccount, graceDaysOf } from "@gatehouse/accounts";
import { type ActiveSession, clearSessionCookie, csrfToken } from "@gatehouse/auth";
import { moment } from "@gatehouse/languages";
import { DeleteAccountPage } from "../../../views/account/delete.tsx";
import { MessagePage } from "../../../views/message.tsx";
import type { Visit } from "../../routing/route.ts";
import { notSignedIn, page } from "../responses/respond.tsx";
import { requireFreshSignIn } from "../sign-in/confirm.tsx";
import { accountRequest } from "./request.ts";

export async function showDeletion(visit: Visit<ActiveSession>): Promise<Response> {
  const stale = await requireFreshSignIn(visit);
  if (stale) return stale;
  const account = await visit.app.deps.people.findAccount(visit.session.user.id);
  return account ? ask(visit, account) : notSignedIn("signed_in", visit.request, visit.app.deps);
}

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

function ask({ app, frame, request, session }: Visit<ActiveSession>, account: Account, problem?: string): Response {
  const { token } = csrfToken(request.headers.get("cookie"), session, app.deps);
  const props = { frame, csrf: token, graceDays: graceDaysOf(account, app.deps), problem };
  return page(DeleteAccountPage(props), { status: problem === undefined ? 200 : 409 });
}
