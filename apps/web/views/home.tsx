/** @jsxImportSource hono/jsx */
import { branding } from "@gatehouse/product";
import { Layout } from "./layout.tsx";

/** The start page, with links to the account and the console. */
export function HomePage({ email, consoleUrl }: { email: string | undefined; consoleUrl: string }) {
  return (
    <Layout title="Welcome">
      <div class="card">
        <div class="heading">
          <h1>Welcome to {branding.name}</h1>
          <p>Sign in to manage your account and connected apps.</p>
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
        Building an app? See the <a href="/.well-known/oauth-authorization-server">server metadata</a>.
      </p>
    </Layout>
  );
}
