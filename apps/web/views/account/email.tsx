/** @jsxImportSource preact */

import { CodeField, EmailField } from "../fields.tsx";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";
import { Rich } from "../rich.tsx";

type ChangeEmailProps = {
  frame: Frame;
  csrf: string;
  /** The address of the account. */
  current: string;
  /** Whether mail works: without it no address can be proved. */
  available: boolean;
  typed?: string | undefined;
  problem?: string | undefined;
};

/** Asks for the new address. EA-02. */
export function ChangeEmailPage({ frame, csrf, current, available, typed, problem }: ChangeEmailProps) {
  const { email } = frame.texts;
  return (
    <Layout frame={frame} title={email.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{email.title}</h1>
          <p>
            <Rich text={email.current} slots={{ email: <bdi>{current}</bdi> }} />
          </p>
        </div>
        <Alert>{problem}</Alert>
        {available ? (
          <form class="stack" method="post" action="/account/email" novalidate>
            <Hidden values={{ csrf }} />
            <EmailField
              label={email.newEmail}
              name="new_email"
              value={typed}
              autofocus
              invalid={problem !== undefined}
            />
            <button class="button" type="submit" name="action" value="change">
              {email.submit}
            </button>
          </form>
        ) : (
          <p class="note">{email.unavailable}</p>
        )}
      </div>
      <p class="below">
        <a href="/account">{frame.texts.deletion.back}</a>
      </p>
    </Layout>
  );
}

type ChangeCodeProps = { frame: Frame; csrf: string; email: string; problem?: string | undefined };

/** Asks for the code that was mailed to the new address. The same for free and taken addresses. EA-03. */
export function ChangeEmailCodePage({ frame, csrf, email: address, problem }: ChangeCodeProps) {
  const { email } = frame.texts;
  return (
    <Layout frame={frame} title={email.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{email.title}</h1>
          <p>
            <Rich text={email.sentTo} slots={{ email: <bdi>{address}</bdi> }} />
          </p>
        </div>
        <Alert>{problem}</Alert>
        <form class="stack" method="post" action="/account/email">
          <Hidden values={{ csrf, new_email: address }} />
          <CodeField label={email.code} name="code" invalid={problem !== undefined} />
          <button class="button" type="submit" name="action" value="code">
            {email.verify}
          </button>
        </form>
        <p class="small">
          <a href="/account/email">{email.startAgain}</a>
        </p>
      </div>
    </Layout>
  );
}
