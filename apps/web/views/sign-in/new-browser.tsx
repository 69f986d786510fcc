/** @jsxImportSource preact */

import type { Continuation } from "@gatehouse/accounts";
import { continuationQuery } from "../continuation.ts";
import { CodeField } from "../fields.tsx";
import type { Frame } from "../frame.ts";
import { Alert, Hidden, Layout } from "../layout.tsx";
import { Rich } from "../rich.tsx";

export type NewBrowserProps = {
  frame: Frame;
  csrf: string;
  email: string;
  continuation: Continuation;
  /** A code was asked for. */
  sent: boolean;
  problem?: string | undefined;
};

/**
 * A browser confirms itself with a mailed code before it may try a password. The same for every address, with an
 * account or without. AB-03.
 */
export function NewBrowserPage({ frame, csrf, email, continuation, sent, problem }: NewBrowserProps) {
  const { newBrowser, emailSignIn } = frame.texts;
  const title = sent ? emailSignIn.title : newBrowser.title;
  const fields = { csrf, email, ...continuation };
  return (
    <Layout frame={frame} title={title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{title}</h1>
          <p>
            <Rich text={sent ? emailSignIn.sent : newBrowser.text} slots={{ email: <bdi>{email}</bdi> }} />
          </p>
        </div>
        <Alert>{problem}</Alert>
        {sent ? (
          <form class="stack" method="post" action="/sign-in/new-browser">
            <Hidden values={{ ...fields, action: "check" }} />
            <CodeField label={emailSignIn.code} name="code" invalid={problem !== undefined} />
            <button class="button" type="submit">
              {emailSignIn.continue}
            </button>
          </form>
        ) : null}
        <form class="stack" method="post" action="/sign-in/new-browser">
          <Hidden values={{ ...fields, action: "send" }} />
          <button class={sent ? "button quiet" : "button"} type="submit">
            {sent ? emailSignIn.again : newBrowser.send}
          </button>
        </form>
      </div>
      <p class="below">
        <a href={`/sign-in${continuationQuery(continuation)}`}>{emailSignIn.otherWay}</a>
      </p>
    </Layout>
  );
}
