/** @jsxImportSource preact */
import type { AccountEvent, AccountEventKind } from "@gatehouse/accounts";
import { ago, moment } from "@gatehouse/languages";
import { browserWords } from "./browser.ts";
import { type AccountFrame, AccountLayout, PageHead } from "./layout.tsx";

type ActivityProps = AccountFrame & {
  events: readonly AccountEvent[];
  /** The id of the last event, if there are older ones. */
  next: string | undefined;
  isFirst: boolean;
  now: number;
};

/** What happened to the account. SN-05. */
export function ActivityPage(props: ActivityProps) {
  const texts = props.frame.texts.activity;
  const { events, next, isFirst } = props;
  return (
    <AccountLayout {...props} title={texts.title} current="/account/activity">
      <PageHead title={texts.title}>{texts.text}</PageHead>
      <section class="card" aria-label={texts.title}>
        {events.length === 0 ? <p class="muted">{texts.none}</p> : null}
        <ul class="rows events" hidden={events.length === 0}>
          {events.map((event) => (
            <EventRow {...props} event={event} />
          ))}
        </ul>
        {next === undefined && isFirst ? null : (
          <div class="actions">
            {isFirst ? null : (
              <a class="button quiet compact" href="/account/activity">
                {texts.newest}
              </a>
            )}
            {next === undefined ? null : (
              <a class="button quiet compact" href={`/account/activity?before=${encodeURIComponent(next)}`}>
                {texts.older}
              </a>
            )}
          </div>
        )}
      </section>
    </AccountLayout>
  );
}

function EventRow({ frame, event, now }: ActivityProps & { event: AccountEvent }) {
  const { texts, locale } = frame;
  const words: Record<AccountEventKind, string> = texts.activity.kinds;
  const { name } = event.detail;
  return (
    <li>
      <div>
        <p>
          <strong>{words[event.kind]}</strong>
          {typeof name === "string" ? (
            <>
              {" "}
              · <bdi>{name}</bdi>
            </>
          ) : null}
        </p>
        <p class="small muted">
          {event.userAgent === null && event.address === null ? (
            texts.activity.byAdmin
          ) : (
            <>
              {browserWords(event.userAgent, texts)} ·{" "}
              <bdi dir="ltr">{event.address ?? texts.sessions.unknownAddress}</bdi>
            </>
          )}
        </p>
      </div>
      <time class="small muted" datetime={new Date(event.at * 1000).toISOString()} title={moment(event.at, locale)}>
        {ago(event.at, now, locale)}
      </time>
    </li>
  );
}
