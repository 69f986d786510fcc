/** @jsxImportSource hono/jsx */
import { acceptInvitation, type Invitation, openInvitation, providerForAddress, type SignInProvider } from "@gatehouse/accounts";
import { type ActiveSession, csrfToken } from "@gatehouse/auth";
import { InvitationAtProviderPage, InvitationPage, OtherAccountPage } from "../../views/invitation.tsx";
import { MessagePage } from "../../views/message.tsx";
import { Rich } from "../../views/rich.tsx";
import type { Visit } from "../routing/route.ts";
import { faultWords } from "./account-faults.ts";
import { accountRequest } from "./account-request.ts";
import { toProviderOfDomain } from "./domain-routing.ts";
import { forgetMailedLink, mailedLinkSecret } from "./mailed-link.ts";
import { page, withCookies } from "./respond.tsx";
import { signedIn } from "./signing-in.tsx";
import { browserPage } from "./verification.tsx";

type Fault = ReturnType<typeof faultWords> & { name: string };

/** The page of the invitation that this browser opened. Changes nothing. FP-02. */
export async function showInvitation(visit: Visit): Promise<Response> {
  const invitation = await openInvitation(mailedLinkSecret(visit), visit.app.deps);
  if (!invitation) return withCookies(deadInvitation(visit), [forgetMailedLink(visit)]);
  if (visit.session) return otherAccount(visit, visit.session);
  const provider = providerForAddress(invitation.email, await visit.app.deps.people.listSignInProviders());
  return provider ? acceptAtProvider(invitation, provider, visit) : form(invitation, visit);
}

/** N78: a user who is signed in gains nothing, and the role comes from the invitation, never from the form. */
export async function accept(visit: Visit): Promise<Response> {
  const { app, session, form: fields, texts } = visit;
  const invitation = await openInvitation(mailedLinkSecret(visit), app.deps);
  if (!invitation) return deadInvitation(visit);
  if (session) return otherAccount(visit, session, 409);
  const { email } = invitation;
  const elsewhere = await toProviderOfDomain({ email, continuation: { request: undefined, next: undefined }, keep: true }, visit);
  if (elsewhere) return elsewhere;

  const name = fields.get("name") ?? "";
  const withoutPassword = fields.has("without_password") && offersPasskeys(visit);
  const typed = { name, password: withoutPassword ? null : (fields.get("password") ?? "") };
  const outcome = await acceptInvitation(invitation, typed, accountRequest(visit), app.deps);
  switch (outcome.kind) {
    case "accepted": {
      const next = withoutPassword ? "/account/security" : undefined;
      const response = await signedIn(outcome.person, { method: "invitation" }, { continuation: { request: undefined, next } }, visit);
      return withCookies(response, [forgetMailedLink(visit)]);
    }
    case "refused":
      return form(invitation, visit, { ...faultWords(outcome.fault, texts), name });
    case "taken":
      return taken(invitation, visit);
    case "dead":
      return deadInvitation(visit);
  }
}

/**
 * Whether the account can begin without a password. Without mail nobody could get back into it, and without passkeys there is nothing to add
 * instead.
 */
const offersPasskeys = ({ app: { deps } }: Visit) => deps.mail.available && deps.accounts.passkeys !== null;

/** The provider proves the address, and the account begins there. UP-10. */
function acceptAtProvider({ email }: Invitation, provider: SignInProvider, visit: Visit): Response {
  return browserPage(visit, (csrf) => <InvitationAtProviderPage frame={visit.frame} csrf={csrf} email={email} provider={provider} />);
}

function form({ email }: Invitation, visit: Visit, fault?: Fault): Response {
  const props = { frame: visit.frame, email, passkeys: offersPasskeys(visit), ...fault };
  return browserPage(visit, (csrf) => <InvitationPage {...props} csrf={csrf} />, fault ? 400 : 200);
}

function otherAccount({ frame, request, app }: Visit, session: ActiveSession, status = 200): Response {
  const { token } = csrfToken(request.headers.get("cookie"), session, app.deps);
  return page(<OtherAccountPage frame={frame} csrf={token} email={session.user.email} />, { status });
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
