/** @jsxImportSource preact */
import type { ConnectedApp } from "@gatehouse/auth";
import { ago } from "@gatehouse/languages";
import { describeScope, EnvironmentBadge, Hidden } from "../layout.tsx";
import { type AccountFrame, AccountLayout, PageHead } from "./layout.tsx";

type App = Omit<ConnectedApp, "scope"> & { scopes: readonly { name: string; description: string }[] };
type AppsProps = AccountFrame & { apps: readonly App[]; now: number };

/** The apps that the user has given access. */
export function AppsPage(props: AppsProps) {
  const texts = props.frame.texts.apps;
  return (
    <AccountLayout {...props} title={texts.title} current="/account/apps">
      <PageHead title={texts.title}>{texts.text}</PageHead>
      <section class="card" aria-label={texts.title}>
        {props.apps.length === 0 ? <p class="muted">{texts.none}</p> : null}
        <ul class="rows" hidden={props.apps.length === 0}>
          {props.apps.map((app) => (
            <AppRow {...props} app={app} />
          ))}
        </ul>
      </section>
    </AccountLayout>
  );
}

function AppRow({ frame, csrf, now, app }: AppsProps & { app: App }) {
  const { texts, locale } = frame;
  const scopes = new Intl.ListFormat(locale).format(app.scopes.map((scope) => describeScope(scope, locale)));
  return (
    <li>
      <div>
        <p>
          <strong>
            <bdi>{app.applicationName}</bdi>
          </strong>{" "}
          <EnvironmentBadge environment={app.environment} texts={texts} />
        </p>
        <p class="small muted">{texts.apps.can(scopes || texts.apps.canNothing)}</p>
        <p class="small muted">
          {texts.apps.connected(ago(app.allowedAt, now, locale))} ·{" "}
          {app.lastUsedAt === null ? texts.apps.neverUsed : texts.apps.lastUsed(ago(app.lastUsedAt, now, locale))}
        </p>
      </div>
      <form method="post" action="/account/apps">
        <Hidden values={{ csrf, client_id: app.clients[0]?.clientId ?? "" }} />
        <button
          class="button quiet compact"
          type="submit"
          name="action"
          value="revoke_app"
          aria-label={texts.apps.revokeOf(app.applicationName)}
        >
          {texts.apps.revoke}
        </button>
      </form>
    </li>
  );
}
