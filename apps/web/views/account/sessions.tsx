/** @jsxImportSource preact */
import type { Session } from "@gatehouse/auth";
import { ago, type Texts } from "@gatehouse/languages";
import { Hidden } from "../layout.tsx";
import { browserWords } from "./browser.ts";
import { type AccountFrame, AccountLayout, PageHead } from "./layout.tsx";

/** Where an IP address is, in the words of a language: `Berlin, Germany`. Undefined if nobody knows. */
export type PlaceOf = (address: string, locale: string) => string | undefined;

type SessionsProps = AccountFrame & {
  sessions: readonly Session[];
  currentSessionId: string;
  /** Names of providers by their id. */
  providers: Readonly<Record<string, string>>;
  hasApps: boolean;
  /** Where an address is, if there is a database of addresses. */
  placeOf: PlaceOf;
  now: number;
};

/** Where the user is signed in. SN-01. */
export function SessionsPage(props: SessionsProps) {
  const texts = props.frame.texts.sessions;
  return (
    <AccountLayout {...props} title={texts.title} current="/account/sessions">
      <PageHead title={texts.title}>{texts.text}</PageHead>
      <section class="card" aria-label={texts.title}>
        <ul class="rows">
          {props.sessions.map((session) => (
            <SessionRow {...props} session={session} />
          ))}
        </ul>
        <EndOthers {...props} />
      </section>
    </AccountLayout>
  );
}

function SessionRow({
  frame,
  csrf,
  session,
  currentSessionId,
  providers,
  placeOf,
  now,
}: SessionsProps & { session: Session }) {
  const { locale, texts } = frame;
  const { sessions } = texts;
  const browser = browserWords(session.userAgent, texts);
  const current = session.id === currentSessionId;
  const place = session.address === null ? undefined : placeOf(session.address, locale);
  return (
    <li>
      <div>
        <p>
          <strong>{browser}</strong> {current ? <span class="badge current">{sessions.thisDevice}</span> : null}
        </p>
        <p class="small muted">
          {place === undefined ? null : (
            <>
              <bdi>{place}</bdi> ·{" "}
            </>
          )}
          <bdi dir="ltr">{session.address ?? sessions.unknownAddress}</bdi> ·{" "}
          {sessions.lastSeen(ago(session.lastSeenAt, now, locale))}
        </p>
        <p class="small muted">
          {sessions.signedIn(ago(session.createdAt, now, locale))} {methodWords(session, providers, sessions)}
        </p>
      </div>
      {current ? null : (
        <form method="post" action="/account/sessions">
          <Hidden values={{ csrf, session_id: session.id }} />
          <button
            class="button quiet compact"
            type="submit"
            name="action"
            value="revoke_session"
            aria-label={sessions.endOf(browser)}
          >
            {sessions.end}
          </button>
        </form>
      )}
    </li>
  );
}

function methodWords(
  { method, upstream }: Session,
  providers: Readonly<Record<string, string>>,
  { methods }: Texts["sessions"],
): string {
  if (method !== "upstream") return methods[method];
  const provider = upstream?.provider ?? "";
  return methods.upstream(providers[provider] ?? provider);
}

/** Always shown: it also ends sessions that are not in the list. */
function EndOthers({ frame, csrf, hasApps }: SessionsProps) {
  const texts = frame.texts.sessions;
  return (
    <form class="actions" method="post" action="/account/sessions">
      <Hidden values={{ csrf }} />
      {hasApps ? (
        <label class="check">
          <input type="checkbox" name="apps" value="on" /> {texts.alsoApps}
        </label>
      ) : null}
      <button class="button quiet compact" type="submit" name="action" value="revoke_other_sessions">
        {texts.endOthers}
      </button>
    </form>
  );
}
