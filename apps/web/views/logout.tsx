/** @jsxImportSource preact */
import type { Frame } from "./frame.ts";
import { Hidden, Layout } from "./layout.tsx";
import { MessagePage } from "./message.tsx";
import { Rich } from "./rich.tsx";

type ConfirmLogoutProps = {
  frame: Frame;
  request: string;
  applicationName: string | undefined;
  csrf: string;
  email: string | undefined;
};

/** Any site can send a browser here, so the user has to confirm. LO-02. */
export function ConfirmLogoutPage({ frame, request, applicationName, csrf, email }: ConfirmLogoutProps) {
  const { logout } = frame.texts;
  const app = applicationName ? (
    <strong>
      <bdi>{applicationName}</bdi>
    </strong>
  ) : (
    logout.anApp
  );
  return (
    <Layout frame={frame} title={logout.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{logout.title}</h1>
          <p>
            <Rich text={email ? logout.textWithEmail : logout.text} slots={{ app, email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <form class="stack" method="post" action="/logout">
          <Hidden values={{ csrf, request }} />
          <div class="choice">
            <a class="button quiet" href="/account">
              {logout.stay}
            </a>
            <button class="button" type="submit">
              {logout.submit}
            </button>
          </div>
        </form>
      </div>
    </Layout>
  );
}

type SignedOutProps = { frame: Frame; leave?: { to: string; host: string } | undefined };

/** `leave` is the return address of a client that no admin registered. The user decides whether to follow it. AZ-35. */
export function SignedOutPage({ frame, leave }: SignedOutProps) {
  const { logout, errors } = frame.texts;
  const action = leave
    ? { label: errors.continueTo(leave.host), href: leave.to }
    : { label: logout.signInAgain, href: "/sign-in" };
  return (
    <MessagePage frame={frame} title={logout.doneTitle} action={action}>
      {logout.done}
      {leave ? ` ${logout.unverified}` : null}
    </MessagePage>
  );
}

export function LogoutExpiredPage({ frame }: { frame: Frame }) {
  const { logout, errors } = frame.texts;
  return (
    <MessagePage frame={frame} title={errors.expired} action={{ label: logout.tryAgain, href: "/logout" }}>
      {logout.expired}
    </MessagePage>
  );
}
