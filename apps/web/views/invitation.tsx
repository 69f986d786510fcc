/** @jsxImportSource hono/jsx */
import type { Frame } from "../server/pages/frame.ts";
import { NameField, NewPasswordField } from "./account-fields.tsx";
import { Alert, Hidden, Layout } from "./layout.tsx";
import { Rich } from "./rich.tsx";
import { type UpstreamButton, UpstreamButtons } from "./upstream-buttons.tsx";

type InvitationProps = {
  frame: Frame;
  csrf: string;
  /** The address that was invited. */
  email: string;
  /** Whether the account can begin without a password, with a passkey to be added next. */
  passkeys: boolean;
  name?: string | undefined;
  problem?: string | undefined;
  field?: "name" | "email" | "password" | undefined;
};

/** Accepts an invitation with a password, or without one. RG-08. */
export function InvitationPage({ frame, csrf, email, passkeys, name, problem, field }: InvitationProps) {
  const { invitation, signUp } = frame.texts;
  return (
    <Layout frame={frame} title={invitation.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{invitation.title}</h1>
          <p>
            <Rich text={invitation.text} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <Alert>{problem}</Alert>
        <form class="stack" method="post" action="/invitation">
          <Hidden values={{ csrf }} />
          <NameField label={invitation.name} name="name" value={name} autofocus={field !== "password"} invalid={field === "name"} />
          <NewPasswordField
            label={invitation.password}
            name="password"
            rule={signUp.passwordRule}
            account={email}
            autofocus={field === "password"}
            invalid={field === "password"}
          />
          <button class="button" type="submit">
            {invitation.accept}
          </button>
          {passkeys ? (
            <>
              <p class="small">
                {invitation.withPasskey} {invitation.withPasskeyText}
              </p>
              <button class="button quiet" type="submit" name="without_password" value="on" formnovalidate>
                {invitation.acceptWithPasskey}
              </button>
            </>
          ) : null}
        </form>
      </div>
    </Layout>
  );
}

type AtProviderProps = Pick<InvitationProps, "frame" | "csrf" | "email"> & { provider: UpstreamButton };

/** Accepts an invitation at the provider that the address signs in at. UP-10. */
export function InvitationAtProviderPage({ frame, csrf, email, provider }: AtProviderProps) {
  const { invitation } = frame.texts;
  return (
    <Layout frame={frame} title={invitation.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{invitation.title}</h1>
          <p>
            <Rich text={invitation.text} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <form class="stack" method="post">
          <Hidden values={{ csrf, email }} />
          <UpstreamButtons frame={frame} providers={[provider]} />
        </form>
      </div>
    </Layout>
  );
}

/** Signed in as somebody else: nothing is bound to that account. N78. */
export function OtherAccountPage({ frame, csrf, email }: { frame: Frame; csrf: string; email: string }) {
  const { invitation } = frame.texts;
  return (
    <Layout frame={frame} title={invitation.otherTitle}>
      <div class="card">
        <div class="heading">
          <h1>{invitation.otherTitle}</h1>
          <p>
            <Rich text={invitation.otherText} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <form class="stack" method="post" action="/sign-out">
          <Hidden values={{ csrf }} />
          <button class="button" type="submit">
            {invitation.signOut}
          </button>
        </form>
      </div>
    </Layout>
  );
}
