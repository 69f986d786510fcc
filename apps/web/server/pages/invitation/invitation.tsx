/** @jsxImportSource preact */

import {
  ACCOUNT_PAGE,
  acceptInvitation,
  beginFirstPasskey,
  type Invitation,
  inviterName,
  openInvitation,
  providerForAddress,
  type SignInProvider,
} from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import {
  InvitationAtProviderPage,
  InvitationPage,
  type InvitationProps,
  OtherAccountPage,
} from "../../../views/invitation.tsx";
import { MessagePage } from "../../../views/message.tsx";
import { Rich } from "../../../views/rich.tsx";
import type { Visit } from "../../routing/visit.ts";
import { accountRequest } from "../account/request.ts";
import { forgetMailedLink, mailedLinkSecret, refuseOtherLink } from "../cookies/mailed-link.ts";
import { sessionCsrf } from "../forms/csrf.ts";
import { refusalWords } from "../forms/problems.ts";
import { chosenWayIn } from "../passkeys/ceremonies.ts";
import { page, withCookies } from "../responses/respond.ts";
import { signInResponse } from "../sign-in/next-step.ts";
import { toProviderOfDomain } from "../sign-in/provider/departure.tsx";
import { browserPage } from "../verify-email/verify-email.tsx";

type Fault = Pick<InvitationProps, "problem" | "field"> & { name: string };

/** The page of the invitation that this browser opened. Changes nothing. FP-02. */
export async function showInvitation(visit: Visit): Promise<Response> {
  const invitation = await openInvitation(mailedLinkSecret(visit), visit.app.deps);
  if (!invitation) return withCookies(deadInvitation(visit), [forgetMailedLink(visit)]);
  if (visit.session) return otherAccount(visit, visit.session);
  const provider = providerForAddress(invitation.email, await visit.app.deps.people.listSignInProviders());
  return provider ? acceptAtProvider(invitation, provider, visit) : form(invitation, visit);
}

/** N78: a user who is signed in gains nothing, and the role comes from the invitation, never from the form. */
export async function submitInvitation(visit: Visit): Promise<Response> {
  const other = refuseOtherLink(visit);
  if (other) return other;
  const { app, session, form: fields, texts } = visit;
  const invitation = await openInvitation(mailedLinkSecret(visit), app.deps);
  if (!invitation) return deadInvitation(visit);
  if (session) return otherAccount(visit, session, 409);
  const { email } = invitation;
  const elsewhere = await toProviderOfDomain({ email, continuation: ACCOUNT_PAGE, keep: true }, visit);
  if (elsewhere) return elsewhere;

  const name = fields.get("name") ?? "";
  const chosen = chosenWayIn(visit);
  if (!chosen) return form(invitation, visit, { problem: texts.passkeys.addEmpty, name });
  const outcome = await acceptInvitation(invitation, { name, ...chosen }, accountRequest(visit), app.deps);
  switch (outcome.kind) {
    case "accepted": {
      const continuation = ACCOUNT_PAGE;
      const response = await signInResponse(
        outcome.account,
        { method: "invitation", passkey: "passkey" in chosen },
        { continuation },
        visit,
      );
      return withCookies(response, [forgetMailedLink(visit)]);
    }
    case "refused":
    case "passkey_refused":
      return form(invitation, visit, { ...refusalWords(outcome, texts), name });
    case "taken":
      return taken(invitation, visit);
    case "dead":
      return deadInvitation(visit);
  }
}

/** The provider proves the address, and the account begins there. UP-10. */
async function acceptAtProvider(invitation: Invitation, provider: SignInProvider, visit: Visit): Promise<Response> {
  const { frame, app } = visit;
  const props = { frame, email: invitation.email, inviter: await inviterName(invitation, app.deps), provider };
  return browserPage(visit, (csrf) => <InvitationAtProviderPage {...props} csrf={csrf} />);
}

async function form(invitation: Invitation, visit: Visit, fault?: Fault): Promise<Response> {
  const { frame, app } = visit;
  const { leastCharacters } = app.deps.passwordRules;
  const inviter = await inviterName(invitation, app.deps);
  const props = { frame, link: invitation.hash, email: invitation.email, inviter, leastCharacters, ...fault };
  const content = (csrf: string, browser: string) => (
    <InvitationPage {...props} csrf={csrf} ceremony={ceremonyFor(invitation, browser, visit)} />
  );
  return browserPage(visit, content, fault ? 400 : 200);
}

const ceremonyFor = ({ id, email }: Invitation, browser: string, { app }: Visit) =>
  beginFirstPasskey({ purpose: "invitation", browser, userId: id }, email, app.deps);

function otherAccount({ frame, request, app }: Visit, session: ActiveSession, status = 200): Response {
  const csrf = sessionCsrf({ request, app, session });
  return page(<OtherAccountPage frame={frame} csrf={csrf} email={session.user.email} />, { status });
}

function taken({ email }: Invitation, { frame, texts }: Visit): Response {
  const action = { label: texts.invitation.signIn, href: `/sign-in?${new URLSearchParams({ email })}` };
  return page(
    <MessagePage frame={frame} title={texts.verifyEmail.takenTitle} action={action}>
      <Rich text={texts.invitation.takenText} slots={{ email: <bdi>{email}</bdi> }} />
    </MessagePage>,
    { status: 409 },
  );
}

function deadInvitation({ frame, texts }: Visit): Response {
  const { deadTitle, deadText } = texts.invitation;
  return page(
    <MessagePage frame={frame} title={deadTitle} action={{ label: texts.errors.signIn, href: "/sign-in" }}>
      {deadText}
    </MessagePage>,
    { status: 400 },
  );
}
