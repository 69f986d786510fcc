/** @jsxImportSource preact */
import {
  ACCOUNT_PAGE,
  asksForPassword,
  beginFirstPasskey,
  changeEmailWithLink,
  confirmSignUpLink,
  hasFreshSignIn,
  isAskingBrowser,
  type LinkVisitor,
  linkStep,
  type MailedToken,
  openVerificationLink,
  sessionBinding,
  signUpWithLink,
  takeOverWithLink,
  undoEmailChange,
  verifyWithLink,
} from "@gatehouse/accounts";
import { MessagePage } from "../../../views/message.tsx";
import { confirmPath } from "../../../views/sign-in/confirm.tsx";
import { ChangeSignInPage, LinkPage, SignUpElsewherePage, TakeOverPage } from "../../../views/verify-email.tsx";
import type { Visit } from "../../routing/visit.ts";
import { accountRequest } from "../account/request.ts";
import { forgetMailedLink, mailedLinkSecret, refuseOtherLink } from "../cookies/mailed-link.ts";
import { renewSession } from "../cookies/session.ts";
import { browserOf } from "../cookies/sign-in.ts";
import { faultWords, refusalWords } from "../forms/problems.ts";
import { chosenWayIn } from "../passkeys/ceremonies.ts";
import { outOfDate } from "../responses/errors.tsx";
import { page, seeOther, withCookies } from "../responses/respond.ts";
import { signInResponse } from "../sign-in/next-step.ts";
import { signUpClosedPage } from "../sign-up/sign-up.tsx";
import { browserPage, deadLinkPage, takenPage } from "./verify-email.tsx";

const visitorOf = (visit: Visit): LinkVisitor => ({ session: visit.session, browser: browserOf(visit) });
const openedToken = (visit: Visit) => openVerificationLink(mailedLinkSecret(visit), visit.app.deps);

/** The page of the mailed link that this browser opened. Changes nothing. FP-02. */
export async function showLink(visit: Visit): Promise<Response> {
  const token = await openedToken(visit);
  return token ? pageOf(token, visit) : withCookies(deadLinkPage(visit), [forgetMailedLink(visit)]);
}

async function pageOf(token: MailedToken, visit: Visit): Promise<Response> {
  const { frame } = visit;
  const { email, hash: link } = token;
  const { leastCharacters } = visit.app.deps.passwordRules;
  const props = { frame, link, email };
  const step = await linkStep(token, visitorOf(visit), visit.app.deps);
  switch (step) {
    case "sign_up_elsewhere":
      return signUpElsewhere(token, visit);
    case "take_over":
      return browserPage(visit, (csrf) => <TakeOverPage {...props} csrf={csrf} leastCharacters={leastCharacters} />);
    case "sign_in":
      return browserPage(visit, (csrf) => <ChangeSignInPage frame={frame} csrf={csrf} email={email} />);
    case "confirm_identity":
      return toConfirmation();
    default:
      return browserPage(visit, (csrf) => <LinkPage {...props} csrf={csrf} kind={step} />);
  }
}

/** After it, the browser is back at the page of the link. SN-03. */
const toConfirmation = () => seeOther(confirmPath({ next: "/verify-email", form: undefined }));

/** The button of that page. */
export async function actOnLink(visit: Visit): Promise<Response> {
  const other = refuseOtherLink(visit);
  if (other) return other;
  const token = await openedToken(visit);
  if (!token) return deadLinkPage(visit);
  // Somebody signed in or out since the page was shown.
  const chooses = visit.form.has("password") || visit.form.has("challenge");
  if (asksForPassword(token, visitorOf(visit)) !== chooses) return outOfDate(visit);
  if (token.purpose === "email_change") return changeAddress(token, visit);
  const response = await actionOf(token, visit);
  // A refused password does not use the link up.
  return response.status === 400 ? response : withCookies(response, [forgetMailedLink(visit)]);
}

function actionOf(token: MailedToken, visit: Visit): Promise<Response> {
  switch (token.purpose) {
    case "sign_up":
      return signUp(token, visit);
    case "verify":
      return asksForPassword(token, visitorOf(visit)) ? takeOver(token, visit) : verify(token, visit);
    default:
      return undo(token, visit);
  }
}

async function signUp(token: MailedToken, visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const browser = browserOf(visit);
  const name = form.get("name") ?? "";
  const chosen = chosenWayIn(visit);
  if (!chosen) return signUpElsewhere(token, visit, { name, problem: texts.passkeys.addEmpty });
  const outcome = isAskingBrowser(token, browser)
    ? await confirmSignUpLink(token, browser, accountRequest(visit), app.deps)
    : await signUpWithLink(token, { name, ...chosen }, accountRequest(visit), app.deps);
  switch (outcome.kind) {
    case "confirmed":
      return signInResponse(outcome.account, outcome.factor, { continuation: outcome.continuation }, visit);
    case "refused":
    case "passkey_refused":
      return signUpElsewhere(token, visit, { name, ...refusalWords(outcome, texts) });
    case "taken":
      return takenPage(visit);
    case "closed":
      return signUpClosedPage(visit);
    default:
      return deadLinkPage(visit);
  }
}

type Again = Pick<Parameters<typeof SignUpElsewherePage>[0], "name" | "problem" | "field">;

/** The page of a sign-up in another browser than the one that asked for it. RG-04. */
function signUpElsewhere({ hash: link, email }: MailedToken, visit: Visit, again: Again = {}): Response {
  const { deps } = visit.app;
  const { leastCharacters } = deps.passwordRules;
  const props = { frame: visit.frame, link, email, leastCharacters, ...again };
  const content = (csrf: string, browser: string) => {
    const ceremony = beginFirstPasskey({ purpose: "sign_up", browser, userId: link }, email, deps);
    return <SignUpElsewherePage {...props} csrf={csrf} ceremony={ceremony} />;
  };
  return browserPage(visit, content, again.problem === undefined ? 200 : 400);
}

async function verify(token: MailedToken, visit: Visit): Promise<Response> {
  const { deps } = visit.app;
  const account = token.userId === null ? undefined : await deps.people.findAccount(token.userId);
  const outcome = account && (await verifyWithLink(account, token, accountRequest(visit), deps));
  return outcome?.kind === "verified" ? seeOther("/account?notice=email_verified") : deadLinkPage(visit);
}

async function takeOver(token: MailedToken, visit: Visit): Promise<Response> {
  const { form, app, frame, texts } = visit;
  const outcome = await takeOverWithLink(token, form.get("password") ?? "", accountRequest(visit), app.deps);
  switch (outcome.kind) {
    case "taken_over":
      return signInResponse(outcome.account, { method: "sign_up" }, { continuation: ACCOUNT_PAGE }, visit);
    case "refused": {
      const { problem } = faultWords(outcome.fault, texts);
      const { leastCharacters } = app.deps.passwordRules;
      const again = { frame, link: token.hash, email: token.email, leastCharacters, problem };
      return browserPage(visit, (csrf) => <TakeOverPage {...again} csrf={csrf} />, 400);
    }
    case "dead":
      return deadLinkPage(visit);
  }
}

async function changeAddress(token: MailedToken, visit: Visit): Promise<Response> {
  const { app, session } = visit;
  const account = session?.user.id === token.userId ? await app.deps.people.findAccount(session.user.id) : undefined;
  if (!session || !account) return pageOf(token, visit);
  const confirmed = await hasFreshSignIn(session, app.deps);
  const changing = { account, sessionId: session.session.id, browser: sessionBinding(session), confirmed };
  const outcome = await changeEmailWithLink(changing, token, accountRequest(visit), app.deps);
  if (outcome.kind === "unconfirmed") return toConfirmation();
  return outcome.kind === "changed"
    ? seeOther("/account?notice=email_changed", {
        cookies: [...(await renewSession({ session, app })).cookies, forgetMailedLink(visit)],
      })
    : deadLinkPage(visit);
}

async function undo(token: MailedToken, visit: Visit): Promise<Response> {
  const { app, frame, texts } = visit;
  const outcome = await undoEmailChange(token, accountRequest(visit), app.deps);
  if (outcome.kind === "dead") return deadLinkPage(visit);
  return page(
    <MessagePage
      frame={frame}
      title={texts.verifyEmail.undone}
      action={{ label: texts.errors.signIn, href: "/sign-in" }}
    >
      {outcome.mailed === "reset_link" ? texts.verifyEmail.undoneText : texts.verifyEmail.undonePasskey}
    </MessagePage>,
  );
}
