/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import type { ComponentChildren } from "preact";
import { continuationQuery } from "./continuation.ts";
import { CodeField, NewAccountFields, NewPasswordField } from "./fields.tsx";
import type { Frame } from "./frame.ts";
import { Alert, Hidden, Layout } from "./layout.tsx";
import { Rich } from "./rich.tsx";
import { AddPasskeyButton, type Ceremony } from "./sign-in/passkeys.tsx";

type Common = { frame: Frame; csrf: string; email: string; problem?: string | undefined };
/** `link`: the hash of the token that the page shows. */
type OfLink = Common & { link: string };
/** The fewest characters of a password. PW-01. */
type OfPassword = { leastCharacters: number };

function Card({
  frame,
  title,
  csrf,
  problem,
  text,
  script = false,
  children,
}: Pick<Common, "frame" | "csrf" | "problem"> & {
  title: string;
  text: ComponentChildren;
  script?: boolean;
  children: ComponentChildren;
}) {
  return (
    <Layout frame={frame} title={title} csrf={csrf} script={script}>
      <div class="card">
        <div class="heading">
          <h1>{title}</h1>
          <p>{text}</p>
        </div>
        <Alert>{problem}</Alert>
        {children}
      </div>
    </Layout>
  );
}

const withEmail = (text: string, email: string) => <Rich text={text} slots={{ email: <bdi>{email}</bdi> }} />;

export type CodePageProps = Common & {
  continuation: Continuation;
  /** `sign_up` for an account that does not exist yet, `verify` for that of the session. */
  of: "sign_up" | "verify";
  /** Another code was sent. */
  resent?: boolean;
};

/** The page after a mail: a field for its code. The same for free and taken addresses. RG-03. */
export function CodePage({ frame, csrf, email, problem, continuation, of, resent = false }: CodePageProps) {
  const { verifyEmail } = frame.texts;
  const hidden = { csrf, of, email, ...continuation };
  return (
    <Card
      frame={frame}
      csrf={csrf}
      title={verifyEmail.title}
      problem={problem}
      text={withEmail(verifyEmail.sentTo, email)}
    >
      {resent ? (
        <p class="note success" role="status">
          {verifyEmail.resent}
        </p>
      ) : null}
      <form class="stack" method="post" action="/verify-email">
        <Hidden values={hidden} />
        <CodeField label={verifyEmail.code} name="code" invalid={problem !== undefined} />
        <button class="button" type="submit" name="action" value="code">
          {verifyEmail.submit}
        </button>
      </form>
      <form class="actions" method="post" action="/verify-email">
        <Hidden values={hidden} />
        <button class="button quiet compact" type="submit" name="action" value="send">
          {verifyEmail.resend}
        </button>
        {of === "sign_up" ? (
          <a href={`/sign-up${continuationQuery(continuation)}`}>{verifyEmail.otherAddress}</a>
        ) : null}
      </form>
    </Card>
  );
}

type RequiredProps = Common & { continuation: Continuation; app: string | undefined };

/** Offers a signed-in user to verify the address; `app` requires it. RG-06. */
export function VerificationOfferPage({ frame, csrf, email, continuation, app, problem }: RequiredProps) {
  const { verifyEmail } = frame.texts;
  const text =
    app === undefined ? (
      verifyEmail.banner
    ) : (
      <Rich text={verifyEmail.required} slots={{ app: <bdi>{app}</bdi>, email: <bdi>{email}</bdi> }} />
    );
  return (
    <Card frame={frame} csrf={csrf} title={verifyEmail.requiredTitle} problem={problem} text={text}>
      <form class="stack" method="post" action="/verify-email">
        <Hidden values={{ csrf, of: "verify", email, ...continuation }} />
        <button class="button" type="submit" name="action" value="send">
          {verifyEmail.sendCode}
        </button>
      </form>
    </Card>
  );
}

export type LinkPageProps = OfLink & { kind: "confirm" | "change" | "undo" };

/** A mailed link that only needs a button: opening it changes nothing. FP-02. */
export function LinkPage({ frame, csrf, link, email, problem, kind }: LinkPageProps) {
  const { verifyEmail } = frame.texts;
  const words = {
    confirm: [verifyEmail.confirmTitle, verifyEmail.confirmText, verifyEmail.submit],
    change: [verifyEmail.changeTitle, verifyEmail.changeText, verifyEmail.change],
    undo: [verifyEmail.undoTitle, verifyEmail.undoText, verifyEmail.undo],
  } as const;
  const [title, text, button] = words[kind];
  return (
    <Card frame={frame} csrf={csrf} title={title} problem={problem} text={withEmail(text, email)}>
      <form class="stack" method="post" action="/verify-email">
        <Hidden values={{ csrf, link }} />
        <button class="button" type="submit" name="action" value="link">
          {button}
        </button>
      </form>
    </Card>
  );
}

type ElsewhereProps = OfLink &
  OfPassword & {
    /** Makes the passkey that the account can begin with instead; undefined while passkeys are off. */
    ceremony: Ceremony | undefined;
    name?: string | undefined;
    field?: "name" | "email" | "password" | undefined;
  };

/**
 * The link of a sign-up in another browser: name and password, or a passkey, are chosen here, whatever was chosen
 * there. RG-04.
 */
export function SignUpElsewherePage(props: ElsewhereProps) {
  const { frame, csrf, link, email, name, leastCharacters, ceremony, problem, field } = props;
  const { verifyEmail, signUp, signIn, passkeys } = frame.texts;
  return (
    <Card
      frame={frame}
      csrf={csrf}
      title={verifyEmail.elsewhereTitle}
      problem={field === "password" ? undefined : problem}
      script
      text={withEmail(verifyEmail.elsewhereText, email)}
    >
      <form class="stack" method="post" action="/verify-email" novalidate>
        <Hidden values={{ csrf, link }} />
        <NewAccountFields
          frame={frame}
          email={email}
          labels={verifyEmail}
          name={name}
          least={leastCharacters}
          problem={problem}
          field={field}
        />
        <button class="button" type="submit" name="action" value="link">
          {verifyEmail.createAccount}
        </button>
      </form>
      {ceremony ? (
        <>
          <p class="or">
            <span>{signIn.or}</span>
          </p>
          <AddPasskeyButton
            ceremony={ceremony}
            action="/verify-email"
            fields={{ csrf, link, action: "link", name: "" }}
            label={signUp.withPasskey}
            texts={passkeys}
            companions={["name"]}
            quiet
          />
        </>
      ) : null}
    </Card>
  );
}

/** The link of an account that somebody else may have made: sign in to keep it, or empty it and take it over. RG-05. */
export function TakeOverPage({ frame, csrf, link, email, leastCharacters, problem }: OfLink & OfPassword) {
  const { verifyEmail } = frame.texts;
  const signIn = `/sign-in?${new URLSearchParams({ email, next: "/verify-email" })}`;
  return (
    <Card
      frame={frame}
      csrf={csrf}
      title={verifyEmail.takeOverTitle}
      script
      text={withEmail(verifyEmail.takeOverText, email)}
    >
      <a class="button" href={signIn}>
        {verifyEmail.signIn}
      </a>
      <div class="heading">
        <h2>{verifyEmail.notMine}</h2>
        <p class="small">{verifyEmail.notMineText}</p>
      </div>
      <form class="stack" method="post" action="/verify-email" novalidate>
        <Hidden values={{ csrf, link }} />
        <NewPasswordField
          frame={frame}
          label={verifyEmail.newPassword}
          name="password"
          least={leastCharacters}
          account={email}
          problem={problem}
        />
        <button class="button quiet" type="submit" name="action" value="link">
          {verifyEmail.setPassword}
        </button>
      </form>
    </Card>
  );
}

/** The link of a change of address in a browser that is not signed in to the account. EA-02. */
export function ChangeSignInPage({ frame, csrf, email }: Common) {
  const { verifyEmail } = frame.texts;
  return (
    <Card frame={frame} csrf={csrf} title={verifyEmail.changeTitle} text={withEmail(verifyEmail.changeSignIn, email)}>
      <a class="button" href={`/sign-in?${new URLSearchParams({ next: "/verify-email" })}`}>
        {verifyEmail.signIn}
      </a>
    </Card>
  );
}
