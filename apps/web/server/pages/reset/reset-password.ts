import { type OpenReset, openReset, resetPassword } from "@gatehouse/accounts";
import { MessagePage } from "../../../views/message.tsx";
import { ResetPasswordPage, type ResetPasswordProps } from "../../../views/reset-password.tsx";
import type { Visit } from "../../routing/visit.ts";
import { sourceOf } from "../account/request.ts";
import { forgetMailedLink, mailedLinkSecret, refuseOtherLink, takeMailedLink } from "../cookies/mailed-link.ts";
import { browserOf } from "../cookies/sign-in.ts";
import { browserForm } from "../forms/csrf.ts";
import { passwordProblemWords } from "../forms/problems.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { page, seeOther } from "../responses/respond.ts";

/** The page of the link that this browser opened. Changes nothing. FP-02. */
export async function showResetPassword(visit: Visit): Promise<Response> {
  const moved = takeMailedLink(visit);
  if (moved) return moved;
  const open = await openHere(visit);
  return open ? ask(visit, open) : dead(visit);
}

/** Sets the new password. FP-03. */
export async function submitResetPassword(visit: Visit): Promise<Response> {
  const other = refuseOtherLink(visit);
  if (other) return other;
  const { form, app, locale, texts } = visit;
  const open = await openHere(visit);
  if (!open) return dead(visit);
  const typed = { password: form.get("password") ?? "", recoveryCode: form.get("recovery_code") ?? "" };
  const outcome = await resetPassword(open, { ...typed, source: sourceOf(visit), locale }, app.deps);
  switch (outcome.kind) {
    case "done":
      return seeOther(signInAfter(open), { cookies: [forgetMailedLink(visit)] });
    case "refused":
      return ask(visit, open, { field: "password", problem: passwordProblemWords(outcome.problem, texts) });
    case "wrong_code":
      return ask(visit, open, { field: "recovery_code", problem: texts.reset.recoveryWrong });
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/reset-password");
    case "dead":
      return dead(visit);
  }
}

const openHere = (visit: Visit) =>
  openReset({ secret: mailedLinkSecret(visit), browser: browserOf(visit) }, visit.app.deps);

function ask(visit: Visit, open: OpenReset, refused: Pick<ResetPasswordProps, "field" | "problem"> = {}): Response {
  const { app, frame } = visit;
  const { csrf, cookies } = browserForm(visit);
  const { token: link, account, needsRecoveryCode } = open;
  const props = {
    frame,
    csrf,
    link,
    email: account.email,
    needsRecoveryCode,
    leastCharacters: app.deps.passwordRules.leastCharacters,
  };
  return page(ResetPasswordPage({ ...props, ...refused }), {
    status: refused.problem === undefined ? 200 : 400,
    cookies,
  });
}

function dead({ frame, texts: { reset } }: Visit): Response {
  const action = { label: reset.askAgain, href: "/forgot-password" };
  return page(MessagePage({ frame, title: reset.deadTitle, action, children: reset.deadText }), { status: 400 });
}

/** Nobody is signed in by a mail alone. The browser that asked continues where it was. FP-03, FP-05. */
function signInAfter({ account, continuation, continuesElsewhere }: OpenReset): string {
  const query = new URLSearchParams({
    email: account.email,
    notice: continuesElsewhere ? "password_set_elsewhere" : "password_set",
  });
  if (continuation?.request !== undefined) query.set("request", continuation.request);
  if (continuation?.next !== undefined) query.set("next", continuation.next);
  return `/sign-in?${query}`;
}
