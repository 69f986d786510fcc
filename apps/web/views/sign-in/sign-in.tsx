/** @jsxImportSource preact */
import type { Continuation } from "@gatehouse/accounts";
import { continuationQuery } from "../continuation.ts";
import { PasswordField } from "../fields.tsx";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";
import { Rich } from "../rich.tsx";
import { EmailCodeButton } from "./code-button.tsx";
import { type Ceremony, PasskeySignIn } from "./passkeys.tsx";
import { type UpstreamButton, UpstreamButtons } from "./provider-buttons.tsx";

export type SignInProps = {
  frame: Frame;
  /** The name of the app that the user signs in to. */
  app?: string | undefined;
  /** The email of the user who is already signed in. */
  signedInAs?: string | undefined;
  continuation: Continuation;
  csrf: string;
  email?: string | undefined;
  /** Whether "Keep me signed in" is ticked; true by default. SN-02. */
  keep?: boolean | undefined;
  problem?: string;
  /** Of a problem at a provider. */
  errorId?: string;
  /** What to do, beside no problem. */
  note?: string;
  /** The providers to sign in with. */
  providers?: readonly UpstreamButton[];
  /** The address comes first, because it decides where its user signs in. UP-10. */
  emailFirst?: boolean;
  /** Whether a code can be mailed instead of a password. ML-01. */
  emailCode?: boolean;
  /** Whether everybody can create an account. RG-01. */
  signUp?: boolean;
  /** Undefined while passkeys are off. */
  passkey?: Ceremony | undefined;
  /** What the browser's password manager is told. WA-10. */
  signals?: readonly object[];
};

export function SignInPage(props: SignInProps) {
  const {
    frame,
    continuation,
    csrf,
    app,
    email,
    problem,
    errorId,
    note,
    providers = [],
    emailFirst = false,
    signedInAs,
  } = props;
  const { passkey, signals = [], emailCode = false, signUp = false, keep = true } = props;
  const typed = email ? { email } : {};
  const { signIn, upstream } = frame.texts;
  return (
    <Layout frame={frame} title={signIn.title} csrf={csrf} script>
      <div class="card">
        <div class="heading">
          <h1>{signIn.title}</h1>
          <p>
            {app === undefined ? signIn.welcome : <Rich text={signIn.continueTo} slots={{ app: <bdi>{app}</bdi> }} />}
          </p>
        </div>
        {signedInAs && !problem ? (
          <p class="note">
            <Rich
              text={signIn.alreadySignedIn}
              slots={{ email: <bdi>{signedInAs}</bdi>, account: <a href="/account">{signIn.yourAccount}</a> }}
            />
          </p>
        ) : null}
        {note ? (
          <p class="note" role="status">
            {note}
          </p>
        ) : null}
        <Alert>{errorId === undefined ? problem : `${problem} ${upstream.errorId(errorId)}`}</Alert>
        <form class="stack" method="post" action="/sign-in" novalidate>
          <Hidden values={{ csrf, ...continuation, ...(passkey && { passkeys: "" }) }} />
          <div class="field">
            <label for="email">{signIn.email}</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete={passkey ? "username webauthn" : "username"}
              autocapitalize="none"
              spellcheck={false}
              maxlength={254}
              required
              value={email}
              autofocus={!(email || frame.preview)}
              {...(problem ? { "aria-describedby": "problem", "aria-invalid": "true" } : {})}
            />
          </div>
          {emailFirst ? null : (
            <PasswordField
              frame={frame}
              label={signIn.password}
              name="password"
              autofocus={Boolean(email)}
              invalid={Boolean(problem)}
              aside={<a href={`/forgot-password${continuationQuery(continuation, typed)}`}>{signIn.forgotPassword}</a>}
            />
          )}
          <input type="hidden" name="keep" value="no" />
          <label class="check">
            <input type="checkbox" name="keep" value="on" checked={keep} /> {signIn.keepSignedIn}
          </label>
          <button class="button" type="submit">
            {emailFirst ? upstream.next : signIn.submit}
          </button>
          {emailCode ? <EmailCodeButton frame={frame} /> : null}
          {passkey || providers.length > 0 ? (
            <p class="or">
              <span>{signIn.or}</span>
            </p>
          ) : null}
          <UpstreamButtons frame={frame} providers={providers} />
        </form>
        {passkey ? (
          <PasskeySignIn
            ceremony={passkey}
            fields={{ csrf, keep: "on", ...continuation }}
            texts={frame.texts.passkeys}
            signals={signals}
          />
        ) : null}
      </div>
      {signUp ? (
        <p class="below">
          {signIn.newHere} <a href={`/sign-up${continuationQuery(continuation, typed)}`}>{signIn.createAccount}</a>
        </p>
      ) : null}
    </Layout>
  );
}
