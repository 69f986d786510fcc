/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import { continuationQuery } from "./continuation.ts";
import { NewPasswordField } from "./fields.tsx";
import type { Frame } from "./frame.ts";
import { Alert, Hidden, Layout } from "./layout.tsx";
import { Rich } from "./rich.tsx";
import { AddPasskeyButton, type Ceremony } from "./sign-in/passkeys.tsx";

export type SignUpProps = {
  frame: Frame;
  continuation: Continuation;
  csrf: string;
  /** The name of the app that the user signs up for. */
  app?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  /** The fewest characters of a password. PW-01. */
  leastCharacters: number;
  /** Makes the passkey that the account can begin with instead of a password; undefined while passkeys are off. */
  ceremony: Ceremony | undefined;
  problem?: string;
  /** The field that the problem is about; it gets the focus. */
  field?: "name" | "email" | "password" | undefined;
};

export function SignUpPage(props: SignUpProps) {
  const { frame, continuation, csrf, app, name, email, leastCharacters, ceremony, problem, field } = props;
  const { signUp, signIn, passkeys } = frame.texts;
  const focus = field ?? "name";
  const invalid = (which: string) =>
    field === which ? { "aria-describedby": "problem", "aria-invalid": "true" as const } : {};
  return (
    <Layout frame={frame} title={signUp.title} csrf={csrf} script>
      <div class="card">
        <div class="heading">
          <h1>{signUp.title}</h1>
          <p>
            {app === undefined ? signUp.welcome : <Rich text={signUp.continueTo} slots={{ app: <bdi>{app}</bdi> }} />}
          </p>
        </div>
        <Alert>{field === "password" ? undefined : problem}</Alert>
        <form class="stack" method="post" action="/sign-up" novalidate>
          <Hidden values={{ csrf, ...continuation }} />
          <div class="field">
            <label for="name">{signUp.name}</label>
            <input
              id="name"
              name="name"
              autocomplete="name"
              maxlength={80}
              required
              value={name}
              autofocus={focus === "name"}
              {...invalid("name")}
            />
          </div>
          <div class="field">
            <label for="email">{signUp.email}</label>
            <input
              id="email"
              name="email"
              type="email"
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
              maxlength={254}
              required
              value={email}
              autofocus={focus === "email"}
              {...invalid("email")}
            />
          </div>
          <NewPasswordField
            frame={frame}
            label={signUp.password}
            name="password"
            least={leastCharacters}
            autofocus={focus === "password"}
            problem={field === "password" ? problem : undefined}
          />
          <button class="button" type="submit">
            {signUp.submit}
          </button>
        </form>
        {ceremony ? (
          <>
            <p class="or">
              <span>{signIn.or}</span>
            </p>
            <AddPasskeyButton
              ceremony={ceremony}
              action="/sign-up"
              fields={{ csrf, ...continuation, name: "", email: "" }}
              label={signUp.withPasskey}
              texts={passkeys}
              companions={["name", "email"]}
              quiet
            />
            <p class="small muted">{signUp.withPasskeyText}</p>
          </>
        ) : null}
      </div>
      <p class="below">
        {signUp.haveAccount}{" "}
        <a href={`/sign-in${continuationQuery(continuation, email ? { email } : {})}`}>{signUp.signIn}</a>
      </p>
    </Layout>
  );
}
