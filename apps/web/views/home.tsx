/** @jsxImportSource preact */
import type { Frame } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { Rich } from "./rich.tsx";

type HomeProps = {
  frame: Frame;
  csrf: string;
  email: string | undefined;
  /** Undefined for those who have no role in the console. */
  consoleUrl: string | undefined;
};

/** The start page, with links to the account and the console. */
export function HomePage({ frame, csrf, email, consoleUrl }: HomeProps) {
  const { home, layout } = frame.texts;
  return (
    <Layout frame={frame} title={home.title} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>{home.heading(frame.productName)}</h1>
          <p>{home.text}</p>
        </div>
        {email ? (
          <p class="who">
            <span>
              <span class="muted">{layout.signedInAs}</span> <bdi>{email}</bdi>
            </span>
          </p>
        ) : null}
        <div class="stack-actions">
          <a class="button" href={email ? "/account" : "/sign-in"}>
            {email ? home.account : home.signIn}
          </a>
          {consoleUrl ? (
            <a class="button quiet" href={consoleUrl}>
              {home.console}
            </a>
          ) : null}
        </div>
      </div>
      <p class="below">
        <Rich
          text={home.developers}
          slots={{ metadata: <a href="/.well-known/oauth-authorization-server">{home.metadata}</a> }}
        />
      </p>
    </Layout>
  );
}
