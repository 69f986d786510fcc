/** @jsxImportSource hono/jsx */
import type { Frame } from "../server/pages/frame.ts";
import { Alert, Hidden, Layout } from "./layout.tsx";
import { type Ceremony, PasskeyButton, PasskeyScript } from "./passkeys.tsx";
import { Rich } from "./rich.tsx";
import type { UpstreamButton } from "./upstream-buttons.tsx";

/** A confirmation and where it returns: a local path, and a sealed form to send there. */
export type Confirmation = { next: string | undefined; form: string | undefined };

/** The page that asks for the confirmation. */
export function confirmPath({ next, form }: Confirmation): string {
  return `/sign-in/confirm?${new URLSearchParams({ ...(next !== undefined && { next }), ...(form !== undefined && { form }) })}`;
}

type ConfirmProps = Confirmation & {
  frame: Frame;
  email: string;
  csrf: string;
  hasPassword: boolean;
  missing: { first: boolean; second: boolean };
  /** For users with a passkey. */
  ceremony: Ceremony | undefined;
  /** Providers at which the user has an account, while the first factor is missing. UP-13. */
  providers: readonly UpstreamButton[];
  problem: string | undefined;
};

/** Asks a signed-in user for what is missing of password and code, or for a passkey, before a sensitive change. SN-03. */
export function ConfirmPage({ frame, email, csrf, next, form, hasPassword, missing, ceremony, providers, problem }: ConfirmProps) {
  const { confirm, secondStep, passkeys, upstream } = frame.texts;
  const invalid = problem ? { "aria-describedby": "problem", "aria-invalid": "true" as const } : {};
  const back = confirmPath({ next, form });
  return (
    <Layout frame={frame} title={confirm.title}>
      <div class="card">
        <div class="heading">
          <h1>{confirm.title}</h1>
          <p>
            <Rich text={confirm.text} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <Alert>{problem}</Alert>
        {hasPassword || !missing.first ? (
          <form class="stack" method="post" action="/sign-in/confirm">
            <Hidden values={{ csrf, next, form }} />
            {missing.first ? (
              <div class="field">
                <label for="password">{confirm.password}</label>
                <input id="password" name="password" type="password" autocomplete="current-password" required autofocus {...invalid} />
              </div>
            ) : null}
            {missing.second ? (
              <div class="field">
                <label for="code">{secondStep.code}</label>
                <input
                  id="code"
                  name="code"
                  type="text"
                  dir="ltr"
                  class="code"
                  autocomplete="one-time-code"
                  autocapitalize="none"
                  spellcheck={false}
                  maxlength={64}
                  required
                  autofocus={!missing.first}
                  aria-describedby={problem ? "problem code-help" : "code-help"}
                />
                <small id="code-help">{confirm.code}</small>
              </div>
            ) : null}
            <button class="button" type="submit">
              {confirm.submit}
            </button>
          </form>
        ) : null}
        {ceremony ? (
          <>
            <PasskeyButton
              ceremony={ceremony}
              action="/sign-in/confirm"
              label={secondStep.useKey}
              fields={{ csrf, next, form }}
              texts={passkeys}
            />
            <PasskeyScript />
          </>
        ) : null}
        {providers.map(({ id, name }) => (
          <form class="stack" method="post" action="/sign-in/confirm">
            <Hidden values={{ csrf, next, form, provider: id }} />
            <button class="button quiet" type="submit">
              {upstream.continueWith(name)}
            </button>
          </form>
        ))}
        <p class="small">
          <a href={`/sign-in?${new URLSearchParams({ email, next: back })}`}>{confirm.other}</a>
        </p>
      </div>
    </Layout>
  );
}

type ConfirmedProps = { frame: Frame; path: string; fields: [name: string, value: string][]; csrf: string };

/** Sends the form that waited for the confirmation. A redirect cannot do that: it would turn the POST into a GET. */
export function ConfirmedPage({ frame, path, fields, csrf }: ConfirmedProps) {
  const { confirm } = frame.texts;
  return (
    <Layout frame={frame} title={confirm.doneTitle}>
      <div class="card">
        <div class="heading">
          <h1>{confirm.doneTitle}</h1>
          <p>{confirm.done}</p>
        </div>
        <form class="stack" method="post" action={path}>
          <Hidden values={{ csrf }} />
          {fields.map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button class="button" type="submit" autofocus>
            {confirm.submit}
          </button>
        </form>
      </div>
    </Layout>
  );
}
