/** @jsxImportSource hono/jsx */
import type { ConsentView } from "@gatehouse/auth";
import { EnvironmentBadge, Hidden, Layout, Scopes } from "./layout.tsx";
import { SignedInAs } from "./signed-in-as.tsx";

type ConsentProps = { view: ConsentView; request: string; csrf: string; email: string };

/** Who asks, for what, and where the browser goes afterwards. OAuth 2.1 §7.9; AZ-34. */
export function ConsentPage({ view, request, csrf, email }: ConsentProps) {
  const app = view.client.applicationName;
  const allowed = view.scopes.filter(({ isNew }) => !isNew);
  const added = view.scopes.filter(({ isNew }) => isNew);
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
        {view.selfDescribed ? (
          <Stranger app={app} documentHost={view.selfDescribed.documentHost} onThisMachine={view.onThisMachine} />
        ) : null}
        {view.unverified && !view.selfDescribed ? (
          <p class="note warning">
            We cannot verify that this really is <bdi>{app}</bdi>: any program on your device could pose as it. Go on only if you just
            started it yourself.
          </p>
        ) : null}
        {added.length > 0 || allowed.length === 0 ? (
          <div class="heading">
            <h2>{asks(added.length, allowed.length)}</h2>
            <Scopes scopes={added} />
          </div>
        ) : null}
        {allowed.length > 0 ? (
          <div class="heading">
            <h2>You allowed it before to</h2>
            <Scopes scopes={allowed} />
          </div>
        ) : null}
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

/** Nobody here registered the application, so its name proves nothing. DC-06, CI-08. */
function Stranger({ app, documentHost, onThisMachine }: { app: string; documentHost: string | undefined; onThisMachine: boolean }) {
  return (
    <p class="note warning">
      {documentHost === undefined ? (
        <>This application registered itself and has not been verified: it may not be what its name says.</>
      ) : (
        <>
          This application describes itself at <strong>{documentHost}</strong>. Nobody here has verified it.
        </>
      )}{" "}
      {onThisMachine ? `It runs on this device, where any program could pose as ${app}. ` : null}Go on only if you just started this
      yourself.
    </p>
  );
}

/** Only what is new is asked; what was allowed before is listed after it. */
function asks(added: number, allowed: number): string {
  if (added === 0) return "This will let it know that you have an account here";
  return allowed > 0 ? "This will also let it" : "This will let it";
}
