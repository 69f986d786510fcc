/** @jsxImportSource preact */

import { NewAccountFields } from "./fields.tsx";
import type { Frame } from "./frame.ts";
import { Alert, Hidden, Layout } from "./layout.tsx";
import { Rich } from "./rich.tsx";
import { AddPasskeyButton, type Ceremony } from "./sign-in/passkeys.tsx";
import { type UpstreamButton, UpstreamButtons } from "./sign-in/provider-buttons.tsx";

export type InvitationProps = {
  frame: Frame;
  csrf: string;
  /** The hash of the link's token. */
  link: string;
  /** The address that was invited. */
  email: string;
  /** Who invites, as `inviterName` returns it. */
  inviter: string | undefined;
  /** Makes the passkey that the account can begin with instead of a password; undefined while passkeys are off. */
  ceremony: Ceremony | undefined;
  name?: string | undefined;
  /** The fewest characters of a password. PW-01. */
  leastCharacters: number;
  problem?: string | undefined;
  field?: "name" | "email" | "password" | undefined;
};

/** Accepts an invitation with a password, or with a passkey. RG-08. */
export function InvitationPage(props: InvitationProps) {
  const { frame, csrf, link, email, inviter, ceremony, name, leastCharacters, problem, field } = props;
  const { invitation, passkeys } = frame.texts;
  return (
    <Layout frame={frame} title={invitation.title} csrf={csrf} script>
      <div class="card">
        <div class="heading">
          <h1>{invitation.title}</h1>
          <InvitedBy frame={frame} email={email} inviter={inviter} />
        </div>
        <Alert>{field === "password" ? undefined : problem}</Alert>
        <form class="stack" method="post" action="/invitation" novalidate>
          <Hidden values={{ csrf, link }} />
          <NewAccountFields
            frame={frame}
            email={email}
            labels={invitation}
            name={name}
            least={leastCharacters}
            problem={problem}
            field={field}
          />
          <button class="button" type="submit">
            {invitation.accept}
          </button>
        </form>
        {ceremony ? (
          <>
            <p class="small">
              {invitation.withPasskey} {invitation.withPasskeyText}
            </p>
            <AddPasskeyButton
              ceremony={ceremony}
              action="/invitation"
              fields={{ csrf, link, name: "" }}
              label={invitation.acceptWithPasskey}
              texts={passkeys}
              companions={["name"]}
              quiet
            />
          </>
        ) : null}
      </div>
    </Layout>
  );
}

function InvitedBy({ frame, email, inviter }: Pick<InvitationProps, "frame" | "email" | "inviter">) {
  const { text, textBy } = frame.texts.invitation;
  const slots = { email: <bdi>{email}</bdi>, inviter: <bdi>{inviter}</bdi> };
  return (
    <p>
      <Rich text={inviter === undefined ? text : textBy} slots={slots} />
    </p>
  );
}

type AtProviderProps = Pick<InvitationProps, "frame" | "csrf" | "email" | "inviter"> & { provider: UpstreamButton };

/** Accepts an invitation at the provider that the address signs in at. UP-10. */
export function InvitationAtProviderPage({ frame, csrf, email, inviter, provider }: AtProviderProps) {
  const { invitation } = frame.texts;
  return (
    <Layout frame={frame} title={invitation.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{invitation.title}</h1>
          <InvitedBy frame={frame} email={email} inviter={inviter} />
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
