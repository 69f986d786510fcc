/** @jsxImportSource hono/jsx */
import { Alert, Hidden, Layout } from "./layout.tsx";
import { type Continuation, continuationQuery } from "./sign-in.tsx";

export type SignUpProps = {
  continuation: Continuation;
  csrf: string;
  /** The name of the app that the user signs up for. */
  app?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  problem?: string;
  /** The field that the problem is about; it gets the focus. */
  field?: "name" | "email" | "password" | undefined;
};

export function SignUpPage({ continuation, csrf, app, name, email, problem, field }: SignUpProps) {
  const focus = field ?? "name";
  const invalid = (which: string) => (field === which ? { "aria-describedby": "problem", "aria-invalid": "true" as const } : {});
  return (
    <Layout title="Create an account">
      <div class="card">
        <div class="heading">
          <h1>Create an account</h1>
          <p>{app === undefined ? "It only takes a minute." : `to continue to ${app}`}</p>
        </div>
        <Alert>{problem}</Alert>
        <form class="stack" method="post" action="/sign-up">
          <Hidden values={{ csrf, ...continuation }} />
          <div class="field">
            <label for="name">Name</label>
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
              autofocus={focus === "email"}
              {...invalid("email")}
            />
          </div>
          <div class="field">
            <label for="password">Password</label>
            <input
              id="password"
              name="password"
              type="password"
              autocomplete="new-password"
              minlength={10}
              required
              autofocus={focus === "password"}
              aria-describedby={field === "password" ? "problem" : "password-rule"}
              {...(field === "password" ? { "aria-invalid": "true" as const } : {})}
            />
            <small id="password-rule">At least 10 characters. A few random words work well.</small>
          </div>
          <button class="button" type="submit">
            Create account
          </button>
        </form>
      </div>
      <p class="below">
        Already have an account? <a href={`/sign-in${continuationQuery(continuation)}`}>Sign in</a>
      </p>
    </Layout>
  );
}
