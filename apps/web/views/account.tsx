/** @jsxImportSource hono/jsx */
import type { ConnectedApp, Session, User } from "@gatehouse/auth";
import { describeBrowser } from "@gatehouse/ui/browser";
import { Alert, EnvironmentBadge, Hidden, Layout } from "./layout.tsx";
import { ago } from "./time.ts";

export type AccountProps = {
  user: User;
  currentSessionId: string;
  sessions: readonly Session[];
  apps: readonly (Omit<ConnectedApp, "scope"> & { scopes: readonly string[] })[];
  csrf: string;
  now: number;
  notice?: string | undefined;
  problem?: string | undefined;
  consoleUrl: string | undefined;
};

export function AccountPage(props: AccountProps) {
  const { user, csrf, notice, problem, consoleUrl } = props;
  const signOut = (
    <form method="post" action="/sign-out">
      <Hidden values={{ csrf }} />
      <button class="button quiet compact" type="submit">
        Sign out
      </button>
    </form>
  );
  return (
    <Layout title="Your account" width="wide" corner={signOut}>
      {notice ? (
        <p class="note success" role="status">
          {notice}
        </p>
      ) : null}
      <Alert>{problem}</Alert>
      <section class="card">
        <div class="section-head">
          <div class="heading">
            <h1>
              <bdi>{user.name}</bdi>
            </h1>
            <p>{user.email}</p>
          </div>
          {consoleUrl ? (
            <a class="button quiet compact" href={consoleUrl}>
              Open the console
            </a>
          ) : null}
        </div>
      </section>
      <ConnectedApps {...props} />
      <Sessions {...props} />
    </Layout>
  );
}

function ConnectedApps({ apps, csrf, now }: AccountProps) {
  return (
    <section class="card" aria-labelledby="apps">
      <div class="heading">
        <h2 id="apps">Connected apps</h2>
        <p class="small">Apps with access to your account. Revoking access takes effect immediately.</p>
      </div>
      {apps.length === 0 ? <p class="note muted">No apps have access to your account.</p> : null}
      <ul class="rows" hidden={apps.length === 0}>
        {apps.map((app) => (
          <li>
            <div>
              <p>
                <bdi>
                  <strong>{app.applicationName}</strong>
                </bdi>{" "}
                <EnvironmentBadge environment={app.environment} />
              </p>
              <p class="small muted">Can {app.scopes.join(", ") || "see that you have an account"}.</p>
              <p class="small muted">
                Connected {ago(app.allowedAt, now)} · {app.lastUsedAt === null ? "never used" : `last used ${ago(app.lastUsedAt, now)}`}
              </p>
            </div>
            <form method="post" action="/account">
              <Hidden values={{ csrf, client_id: app.clientId }} />
              <button
                class="button quiet compact"
                type="submit"
                name="action"
                value="revoke_app"
                aria-label={`Revoke access of ${app.applicationName}`}
              >
                Revoke access
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sessions({ sessions, apps, currentSessionId, csrf, now }: AccountProps) {
  return (
    <section class="card" aria-labelledby="sessions">
      <div class="heading">
        <h2 id="sessions">Where you're signed in</h2>
        <p class="small">If you don't recognize a session, end it.</p>
      </div>
      <ul class="rows">
        {sessions.map((session) => (
          <li>
            <div>
              <p>
                <strong>{describeBrowser(session.userAgent)}</strong>{" "}
                {session.id === currentSessionId ? <span class="badge current">This device</span> : null}
              </p>
              <p class="small muted">
                {session.address ?? "Unknown address"} · signed in {ago(session.authTime, now)} · last seen {ago(session.lastSeenAt, now)}
              </p>
            </div>
            {session.id === currentSessionId ? null : (
              <form method="post" action="/account">
                <Hidden values={{ csrf, session_id: session.id }} />
                <button class="button quiet compact" type="submit" name="action" value="revoke_session">
                  End session
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <SignOutEverywhere csrf={csrf} hasApps={apps.length > 0} />
    </section>
  );
}

/** Always shown: it also ends sessions that are not in the list. */
function SignOutEverywhere({ csrf, hasApps }: { csrf: string; hasApps: boolean }) {
  return (
    <form class="actions" method="post" action="/account">
      <Hidden values={{ csrf }} />
      {hasApps ? (
        <label class="check">
          <input type="checkbox" name="apps" value="on" /> Also disconnect all apps
        </label>
      ) : null}
      <button class="button quiet compact" type="submit" name="action" value="revoke_other_sessions">
        Sign out everywhere else
      </button>
    </form>
  );
}
