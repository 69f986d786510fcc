/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import { continuationQuery, keepField } from "../continuation.ts";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";
import { Rich } from "../rich.tsx";

type Flow = { continuation: Continuation; keep: boolean };
type CodeProps = Flow & { frame: Frame; csrf: string; email: string; problem?: string | undefined };

/** Where the mailed code is typed. Says the same whether there is an account or not. ML-01. */
export function EmailCodePage({ frame, csrf, email, continuation, keep, problem }: CodeProps) {
  const { emailSignIn } = frame.texts;
  const fields = { csrf, email, keep: keepField(keep), ...continuation };
  return (
    <Layout frame={frame} title={emailSignIn.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{emailSignIn.title}</h1>
          <p>
            <Rich text={emailSignIn.sent} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <Alert>{problem}</Alert>
        <form class="stack" method="post" action="/sign-in/code">
          <Hidden values={{ ...fields, action: "check" }} />
          <div class="field">
            <label for="code">{emailSignIn.code}</label>
            <input
              id="code"
              name="code"
              type="text"
              inputmode="numeric"
              autocomplete="one-time-code"
              maxlength={20}
              required
              autofocus
              dir="ltr"
              {...(problem ? { "aria-describedby": "problem", "aria-invalid": "true" } : {})}
            />
          </div>
          <button class="button" type="submit">
            {emailSignIn.continue}
          </button>
        </form>
        <form class="stack" method="post" action="/sign-in/code">
          <Hidden values={{ ...fields, action: "send" }} />
          <button class="button quiet" type="submit">
            {emailSignIn.again}
          </button>
        </form>
      </div>
      <p class="below">
        <a href={`/sign-in${continuationQuery(continuation)}`}>{emailSignIn.otherWay}</a>
      </p>
    </Layout>
  );
}

/** What a mailed link opens in the browser that asked for it: a button, since mail scanners open links. ML-02. */
export function EmailLinkPage({
  frame,
  csrf,
  link,
  email,
}: {
  frame: Frame;
  csrf: string;
  link: string;
  email: string;
}) {
  const { emailSignIn } = frame.texts;
  return (
    <Layout frame={frame} title={emailSignIn.linkTitle} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{emailSignIn.linkTitle}</h1>
          <p>
            <Rich text={emailSignIn.linkText} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <form class="stack" method="post" action="/sign-in/code">
          <Hidden values={{ csrf, link, action: "link" }} />
          <button class="button" type="submit">
            {emailSignIn.signIn}
          </button>
        </form>
      </div>
    </Layout>
  );
}
