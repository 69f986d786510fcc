/** @jsxImportSource preact */
import type { ConsentView } from "@gatehouse/auth";
import type { Texts } from "@gatehouse/languages";
import { continuationQuery } from "./continuation.ts";
import type { Frame } from "./frame.ts";
import { EnvironmentBadge, Hidden, Layout, Scopes } from "./layout.tsx";
import { Rich } from "./rich.tsx";
import { SignedInAs } from "./signed-in-as.tsx";

type ConsentProps = { frame: Frame; view: ConsentView; csrf: string; email: string };

/** Shows who requests access, to what, and where the browser goes next. OAuth 2.1 §7.9; AZ-34. */
export function ConsentPage({ frame, view, csrf, email }: ConsentProps) {
  const { texts } = frame;
  const { request } = view;
  const { consent } = texts;
  const app = <bdi>{view.client.applicationName}</bdi>;
  const allowed = view.scopes.filter(({ isNew }) => !isNew);
  const added = view.scopes.filter(({ isNew }) => isNew);
  return (
    <Layout frame={frame} title={consent.title(view.client.applicationName)} csrf={csrf}>
      <div class="card">
        <div class="heading">
          <h1>
            <Rich text={consent.heading} slots={{ app }} />{" "}
            <EnvironmentBadge environment={view.client.environment} texts={texts} />
          </h1>
          <p class="small">
            <Rich text={consent.redirect} slots={{ host: <strong dir="ltr">{view.redirectHost}</strong> }} />
          </p>
        </div>
        <SignedInAs texts={texts} email={email} csrf={csrf} continuation={{ request, next: undefined }} />
        {view.testRun ? <TestRunNote app={view.client.applicationName} texts={texts} /> : null}
        <Warning view={view} texts={texts} />
        {added.length > 0 || allowed.length === 0 ? (
          <div class="heading">
            <h2>{headingOf(added.length, allowed.length, texts)}</h2>
            <Scopes scopes={added} locale={frame.locale} />
          </div>
        ) : null}
        {allowed.length > 0 ? (
          <div class="heading">
            <h2>{consent.allowedAlready}</h2>
            <Scopes scopes={allowed} locale={frame.locale} />
          </div>
        ) : null}
        <form class="stack" method="post" action={`/consent${continuationQuery({ request, next: undefined })}`}>
          <Hidden values={{ csrf, request }} />
          <div class="choice">
            <button class="button quiet" type="submit" name="decision" value="deny">
              {consent.deny}
            </button>
            <button class="button" type="submit" name="decision" value="allow">
              {consent.allow}
            </button>
          </div>
        </form>
      </div>
      <p class="below">
        <Rich text={consent.revokeAnyTime} slots={{ account: <a href="/account">{consent.yourAccount}</a> }} />
      </p>
    </Layout>
  );
}

/** An operator tests the client in the console: what is allowed is not remembered. CO-39. */
export function TestRunNote({ app, texts: { consent } }: { app: string; texts: Texts }) {
  return (
    <p class="note">
      <strong>{consent.testRun}</strong>
      <br />
      <Rich text={consent.testRunText} slots={{ app: <bdi>{app}</bdi> }} />
    </p>
  );
}

/** Nobody here registered a self-described app, so its name proves nothing. DC-06, CI-08. */
function Warning({ view, texts: { consent } }: { view: ConsentView; texts: Texts }) {
  const slots = { app: <bdi>{view.client.applicationName}</bdi> };
  if (!view.selfDescribed) {
    return view.unverified ? (
      <p class="note warning">
        <Rich text={consent.unverified} slots={slots} />
      </p>
    ) : null;
  }
  const { documentHost } = view.selfDescribed;
  return (
    <p class="note warning">
      {documentHost === undefined ? (
        consent.selfRegistered
      ) : (
        <Rich text={consent.selfDescribed} slots={{ host: <strong dir="ltr">{documentHost}</strong> }} />
      )}{" "}
      {view.onThisMachine ? (
        <>
          <Rich text={consent.onThisDevice} slots={slots} />{" "}
        </>
      ) : null}
      {consent.onlyIfStarted}
    </p>
  );
}

/** Only new scopes need consent. Earlier ones follow in a list of their own. */
function headingOf(added: number, allowed: number, { consent }: Texts): string {
  if (added === 0) return consent.allowsAccount;
  return allowed > 0 ? consent.allowsAlso : consent.allows;
}
