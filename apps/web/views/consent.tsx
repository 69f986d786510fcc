/** @jsxImportSource hono/jsx */
import type { ConsentView } from "@gatehouse/auth";
import { EnvironmentBadge, Hidden, Layout, Scopes } from "./layout.tsx";
import { SignedInAs } from "./signed-in-as.tsx";

type ConsentProps = { view: ConsentView; request: string; csrf: string; email: string };

/** Who asks, for what, and where the browser goes afterwards. OAuth 2.1 §7.9; AZ-34. */
export function ConsentPage({ view, request, csrf, email }: ConsentProps) {
  const app = view.client.applicationName;
  // The first time everything is new, so marking it says nothing.
  const firstTime = view.scopes.every(({ isNew }) => isNew);
  const scopes = view.scopes.map((scope) => ({ ...scope, isNew: scope.isNew && !firstTime }));
  return (
    <Layout title={`Allow ${app}?`}>
      <div class="card">
        <div class="heading">
          <h1>
            <bdi>{app}</bdi> wants to use your account <EnvironmentBadge environment={view.client.environment} />
          </h1>
          <p class="small">
            You will be sent to <strong>{view.redirectHost}</strong> afterwards.
          </p>
        </div>
        <SignedInAs email={email} csrf={csrf} continuation={{ request, next: undefined }} />
        {view.unverified ? (
          <p class="note warning">
            We cannot verify that this really is <bdi>{app}</bdi>: it runs {view.client.type === "browser" ? "in a browser" : "on a device"}
            , not on a server with a secret. Go on only if you just started it yourself.
          </p>
        ) : null}
        <div class="heading">
          <h2>{view.scopes.length > 0 ? "This will let it" : "This will let it know that you have an account here"}</h2>
          <Scopes scopes={scopes} />
        </div>
        <form class="stack" method="post" action="/consent">
          <Hidden values={{ csrf, request }} />
          <div class="choice">
            <button class="button quiet" type="submit" name="decision" value="deny">
              Deny
            </button>
            <button class="button" type="submit" name="decision" value="allow">
              Allow
            </button>
          </div>
        </form>
      </div>
      <p class="below">
        You can take this back at any time on your <a href="/account">account page</a>.
      </p>
    </Layout>
  );
}
