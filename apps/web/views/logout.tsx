/** @jsxImportSource hono/jsx */
import { Hidden, Layout } from "./layout.tsx";
import { MessagePage } from "./message.tsx";

type ConfirmLogoutProps = { request: string; applicationName: string | undefined; csrf: string; email: string | undefined };

/** Any site can send a browser here, so the user has to confirm. LO-02. */
export function ConfirmLogoutPage({ request, applicationName, csrf, email }: ConfirmLogoutProps) {
  return (
    <Layout title="Sign out?">
      <div class="card">
        <div class="heading">
          <h1>Sign out?</h1>
          <p>
            {applicationName ? <strong>{applicationName}</strong> : "An app"} wants to sign you out{email ? ` (${email})` : ""}. Apps that
            you signed in to in this browser will be notified.
          </p>
        </div>
        <form class="stack" method="post" action="/logout">
          <Hidden values={{ csrf, request }} />
          <div class="choice">
            <a class="button quiet" href="/account">
              Stay signed in
            </a>
            <button class="button" type="submit">
              Sign out
            </button>
          </div>
        </form>
      </div>
    </Layout>
  );
}

type SignedOutProps = { leave?: { to: string; host: string } | undefined };

/** `leave` is the return address of a client that no admin registered. The user decides whether to follow it. AZ-35. */
export function SignedOutPage({ leave }: SignedOutProps) {
  const action = leave ? { label: `Continue to ${leave.host}`, href: leave.to } : { label: "Sign in again", href: "/sign-in" };
  return (
    <MessagePage title="You're signed out" action={action}>
      Your session in this browser has ended.
      {leave ? " We haven't verified the app that sent you here. Continue only if you trust this site." : null}
    </MessagePage>
  );
}

export function LogoutExpiredPage() {
  return (
    <MessagePage title="This request expired" action={{ label: "Try again", href: "/logout" }}>
      The page was open for too long, or you signed in again. Nothing has changed.
    </MessagePage>
  );
}
