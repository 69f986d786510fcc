/** @jsxImportSource hono/jsx */
import type { ConsentView } from "@gatehouse/auth";
import { EnvironmentBadge, Hidden, Layout, Scopes } from "./layout.tsx";
import { SignedInAs } from "./signed-in-as.tsx";

type ConsentProps = { view: ConsentView; request: string; csrf: string; email: string };

/** Shows who requests access, to what, and where the browser goes next. OAuth 2.1 §7.9; AZ-34. */
export function ConsentPage({ view, request, csrf, email }: ConsentProps) {
  const app = view.client.applicationName;
  const allowed = view.scopes.filter(({ isNew }) => !isNew);
  const added = view.scopes.filter(({ isNew }) => isNew);
  return (
    <Layout title={`Allow ${app}?`}>
      <div class="card">
        <div class="heading">
          <h1>
            <bdi>{app}</bdi> wants to access your account <EnvironmentBadge environment={view.client.environment} />
          </h1>
          <p class="small">
            You'll be redirected to <strong>{view.redirectHost}</strong>.
          </p>
        </div>
        <SignedInAs email={email} csrf={csrf} continuation={{ request, next: undefined }} />
        {view.selfDescribed ? (
          <SelfDescribedWarning app={app} documentHost={view.selfDescribed.documentHost} onThisMachine={view.onThisMachine} />
        ) : null}
        {view.unverified && !view.selfDescribed ? (
          <p class="note warning">
            We can't verify that this is really <bdi>{app}</bdi>: any program on your device can pretend to be it. Continue only if you just
            started it yourself.
          </p>
        ) : null}
        {added.length > 0 || allowed.length === 0 ? (
          <div class="heading">
            <h2>{headingOf(added.length, allowed.length)}</h2>
            <Scopes scopes={added} />
          </div>
        ) : null}
        {allowed.length > 0 ? (
          <div class="heading">
            <h2>You already allow it to</h2>
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
        You can revoke access at any time in <a href="/account">your account</a>.
      </p>
    </Layout>
  );
}

/** Nobody here registered this app, so its name proves nothing. DC-06, CI-08. */
function SelfDescribedWarning({
  app,
  documentHost,
  onThisMachine,
}: {
  app: string;
  documentHost: string | undefined;
  onThisMachine: boolean;
}) {
  return (
    <p class="note warning">
      {documentHost === undefined ? (
        <>This app registered itself, and we haven't verified it. Its name may be misleading.</>
      ) : (
        <>
          This app describes itself at <strong>{documentHost}</strong>. We haven't verified it.
        </>
      )}{" "}
      {onThisMachine ? `It runs on this device, where any program can pretend to be ${app}. ` : null}Continue only if you just started this
      yourself.
    </p>
  );
}

/** Only new scopes need consent. Earlier ones follow in a list of their own. */
function headingOf(added: number, allowed: number): string {
  if (added === 0) return "This will allow it to see that you have an account";
  return allowed > 0 ? "This will also allow it to" : "This will allow it to";
}
