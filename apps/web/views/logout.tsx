/** @jsxImportSource hono/jsx */
import { Hidden, Layout } from "./layout.tsx";
import { MessagePage } from "./message.tsx";

type ConfirmLogoutProps = { request: string; applicationName: string | undefined; csrf: string; email: string | undefined };

/** Any site can send a browser here, so the user says whether it is meant. LO-02. */
export function ConfirmLogoutPage({ request, applicationName, csrf, email }: ConfirmLogoutProps) {
  return (
    <Layout title="Sign out?">
      <div class="card">
        <div class="heading">
          <h1>Sign out?</h1>
          <p>
            {applicationName ? <strong>{applicationName}</strong> : "An application"} asks to sign you out{email ? ` (${email})` : ""}. Apps
            that signed you in with this browser are told.
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

/** `leave` is the return address of a client that no admin registered: the user follows it only by choice. AZ-35. */
export function SignedOutPage({ leave }: SignedOutProps) {
  const action = leave ? { label: `Continue to ${leave.host}`, href: leave.to } : { label: "Sign in again", href: "/sign-in" };
  return (
    <MessagePage title="You are signed out" action={action}>
      This browser has no session here any more.
      {leave ? " Nobody here has verified the application that sent you. Continue only if you know where the button leads." : null}
    </MessagePage>
  );
}

export function LogoutExpiredPage() {
  return (
    <MessagePage title="This took too long" action={{ label: "Try again", href: "/logout" }}>
      The page was open too long, or in another session. Nothing has happened.
    </MessagePage>
  );
}
