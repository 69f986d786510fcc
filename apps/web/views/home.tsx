/** @jsxImportSource hono/jsx */
import { Layout } from "./layout.tsx";

/** The front door: what this server is, and the two places a person may want to go. */
export function HomePage({ email, consoleUrl }: { email: string | undefined; consoleUrl: string }) {
  return (
    <Layout title="Welcome">
      <div class="card">
        <div class="heading">
          <h1>This is a Gatehouse</h1>
          <p>It signs people in to applications, guards an API, and receives webhooks.</p>
        </div>
        {email ? (
          <p class="who">
            <span>
              <span class="muted">Signed in as</span> {email}
            </span>
          </p>
        ) : null}
        <div class="stack-actions">
          <a class="button" href={email ? "/account" : "/sign-in"}>
            {email ? "Your account" : "Sign in"}
          </a>
          <a class="button quiet" href={consoleUrl}>
            Open the console
          </a>
        </div>
      </div>
      <p class="below">
        Developers start at <a href="/.well-known/oauth-authorization-server">the server's metadata</a>.
      </p>
    </Layout>
  );
}
