/** @jsxImportSource hono/jsx */
import { Alert, Hidden, Layout } from "./layout.tsx";

/** Where a sign-in continues: a sealed pending request, or a local path. */
export type Continuation = { request: string | undefined; next: string | undefined };

/** The continuation as a query string, for links between sign-in and sign-up. */
export function continuationQuery({ request, next }: Continuation): string {
  const query = new URLSearchParams();
  if (request !== undefined) query.set("request", request);
  if (next !== undefined) query.set("next", next);
  return query.size > 0 ? `?${query}` : "";
}

export type SignInProps = {
  /** The name of the app that the user signs in to. */
  app?: string | undefined;
  /** The email of the user who is already signed in. */
  signedInAs?: string | undefined;
  continuation: Continuation;
  csrf: string;
  email?: string | undefined;
  problem?: string;
};

export function SignInPage({ continuation, csrf, app, email, problem, signedInAs }: SignInProps) {
  return (
    <Layout title="Sign in">
      <div class="card">
        <div class="heading">
          <h1>Sign in</h1>
          <p>{app === undefined ? "Welcome back." : `to continue to ${app}`}</p>
        </div>
        {signedInAs && !problem ? (
          <p class="note">
            You're already signed in as {signedInAs}. Sign in again below, or go to <a href="/account">your account</a>.
          </p>
        ) : null}
        <Alert>{problem}</Alert>
        <form class="stack" method="post" action="/sign-in">
          <Hidden values={{ csrf, ...continuation }} />
          <div class="field">
            <label for="email">Email</label>
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
              autofocus={!email}
              {...(problem ? { "aria-describedby": "problem", "aria-invalid": "true" } : {})}
            />
          </div>
          <div class="field">
            <label for="password">Password</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              autofocus={Boolean(email)}
              {...(problem ? { "aria-describedby": "problem", "aria-invalid": "true" } : {})}
            />
          </div>
          <button class="button" type="submit">
            Sign in
          </button>
        </form>
      </div>
      <p class="below">
        New here? <a href={`/sign-up${continuationQuery(continuation)}`}>Create an account</a>
      </p>
    </Layout>
  );
}
