/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { Frame } from "./frame.ts";
import { Layout } from "./layout.tsx";
import { Rich } from "./rich.tsx";

type MessageProps = {
  frame: Frame;
  title: string;
  children?: ComponentChildren;
  /** A description for developers, in English. */
  detail?: string | undefined;
  errorId?: string | undefined;
  action?: { label: string; href: string };
};

/** A page with a message: refused, expired, not found, too many attempts. */
export function MessagePage({ frame, title, children, detail, errorId, action }: MessageProps) {
  return (
    <Layout frame={frame} title={title}>
      <div class="card">
        <div class="heading">
          <h1>{title}</h1>
          <p>{children}</p>
        </div>
        {detail ? (
          <p class="note" lang="en" dir="ltr">
            {detail}
          </p>
        ) : null}
        {action ? (
          <a class="button" href={action.href}>
            {action.label}
          </a>
        ) : null}
        {errorId ? (
          <p class="small muted">
            <Rich text={frame.texts.errors.errorId} slots={{ id: <code>{errorId}</code> }} />
            {frame.consoleUrl ? (
              <>
                {" "}
                <a href={`${frame.consoleUrl}/failures/${errorId}`}>{frame.texts.errors.seeWhy}</a>
              </>
            ) : null}
          </p>
        ) : null}
      </div>
    </Layout>
  );
}

type RefusedProps = { frame: Frame; detail?: string | undefined; errorId?: string | undefined };

/** The redirect URI of the request is not proven, so the browser stays here. OAuth 2.1 §4.1.2.1. */
export function RefusedPage({ frame, detail, errorId }: RefusedProps) {
  const { errors } = frame.texts;
  return (
    <MessagePage frame={frame} title={errors.invalid} detail={detail} errorId={errorId}>
      {errors.refused}
    </MessagePage>
  );
}

type LeaveProps = {
  frame: Frame;
  detail: string | undefined;
  denied: boolean;
  errorId: string;
  leave: { to: string; host: string };
};

/**
 * An error for a client that no admin registered. The user decides whether to follow its redirect URI. OAuth 2.1
 * §7.13.2; AZ-35.
 */
export function LeavePage({ frame, detail, denied, errorId, leave }: LeaveProps) {
  const { errors } = frame.texts;
  return (
    <MessagePage
      frame={frame}
      title={denied ? errors.denied : errors.invalid}
      detail={denied ? undefined : detail}
      errorId={errorId}
      action={{ label: errors.continueTo(leave.host), href: leave.to }}
    >
      {denied ? errors.nothingShared : errors.invalidRequest}{" "}
      <Rich text={errors.leave} slots={{ host: <bdi>{leave.host}</bdi> }} />
    </MessagePage>
  );
}

type ExpiredProps = { frame: Frame; errorId?: string | undefined; restart?: string | undefined };

/** The pending request was altered, belongs to another session, or has expired. AZ-31. */
export function ExpiredPage({ frame, errorId, restart }: ExpiredProps) {
  const { errors } = frame.texts;
  const action =
    restart === undefined ? { label: errors.account, href: "/account" } : { label: errors.restart, href: restart };
  return (
    <MessagePage frame={frame} title={errors.expired} errorId={errorId} action={action}>
      {errors.expiredText} {restart === undefined ? errors.goBack : errors.restartText}
    </MessagePage>
  );
}
