/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import { continuationQuery } from "./continuation.ts";
import { EmailField } from "./fields.tsx";
import type { Frame } from "./frame.ts";
import { Alert, Hidden, Layout } from "./layout.tsx";
import { Rich } from "./rich.tsx";

export type ForgotPasswordProps = {
  frame: Frame;
  csrf: string;
  continuation: Continuation;
  email?: string | undefined;
  problem?: string | undefined;
  /** Without mail, an administrator has to help. EM-02. */
  mailWorks: boolean;
};

/** Asks for the address that gets a link to set a new password. FP-01. */
export function ForgotPasswordPage({ frame, csrf, continuation, email, problem, mailWorks }: ForgotPasswordProps) {
  const { reset } = frame.texts;
  return (
    <Layout frame={frame} title={reset.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{reset.title}</h1>
          <p>{mailWorks ? reset.text : reset.off}</p>
        </div>
        <Alert>{problem}</Alert>
        {mailWorks ? (
          <form class="stack" method="post" action="/forgot-password" novalidate>
            <Hidden values={{ csrf, ...continuation }} />
            <EmailField label={reset.email} name="email" value={email} autofocus invalid={problem !== undefined} />
            <button class="button" type="submit">
              {reset.send}
            </button>
          </form>
        ) : null}
      </div>
      <p class="below">
        <a href={`/sign-in${continuationQuery(continuation)}`}>{reset.back}</a>
      </p>
    </Layout>
  );
}

type ResetSentProps = { frame: Frame; csrf: string; continuation: Continuation; email: string };

/** The same for every address, with an account or without. FP-01. */
export function ResetSentPage({ frame, csrf, continuation, email }: ResetSentProps) {
  const { reset } = frame.texts;
  const query = continuationQuery(continuation);
  return (
    <Layout frame={frame} title={reset.sentTitle} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{reset.sentTitle}</h1>
          <p role="status">
            <Rich text={reset.sentText} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
          <p class="small">{reset.sentMore}</p>
        </div>
        <a class="button quiet" href={`/forgot-password${query}`}>
          {reset.again}
        </a>
      </div>
      <p class="below">
        <a href={`/sign-in${query}`}>{reset.back}</a>
      </p>
    </Layout>
  );
}
