/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { Layout } from "./layout.tsx";

type MessageProps = {
  title: string;
  children?: Child;
  detail?: string | undefined;
  errorId?: string | undefined;
  action?: { label: string; href: string };
};

/** A page with a message: refused, expired, not found, too many attempts. */
export function MessagePage({ title, children, detail, errorId, action }: MessageProps) {
  return (
    <Layout title={title}>
      <div class="card">
        <div class="heading">
          <h1>{title}</h1>
          <p>{children}</p>
        </div>
        {detail ? <p class="note">{detail}</p> : null}
        {action ? (
          <a class="button" href={action.href}>
            {action.label}
          </a>
        ) : null}
        {errorId ? (
          <p class="small muted">
            Error ID: <code>{errorId}</code>. Include it when you contact support.
          </p>
        ) : null}
      </div>
    </Layout>
  );
}

/** The redirect URI of the request is not proven, so the browser stays here. OAuth 2.1 §4.1.2.1. */
export function RefusedPage({ detail, errorId }: { detail?: string | undefined; errorId?: string | undefined }) {
  return (
    <MessagePage title="We can't complete this request" detail={detail} errorId={errorId}>
      The app that sent you here made an invalid request. Nothing was shared with it. Go back to the app and try again.
    </MessagePage>
  );
}

type LeaveProps = { detail: string | undefined; denied: boolean; errorId: string; leave: { to: string; host: string } };

/** An error for a client that no admin registered. The user decides whether to follow its redirect URI. OAuth 2.1 §7.13.2; AZ-35. */
export function LeavePage({ detail, denied, errorId, leave }: LeaveProps) {
  return (
    <MessagePage
      title={denied ? "Access denied" : "We can't complete this request"}
      detail={denied ? undefined : detail}
      errorId={errorId}
      action={{ label: `Continue to ${leave.host}`, href: leave.to }}
    >
      {denied ? "Nothing was shared with the app." : "The app made an invalid request. Nothing was shared with it."} We haven't verified
      this app. Continue only if you trust {leave.host}.
    </MessagePage>
  );
}

/** The pending request was altered, belongs to another session, or has expired. AZ-31. */
export function ExpiredPage({ errorId, restart }: { errorId?: string | undefined; restart?: string | undefined }) {
  const action = restart === undefined ? { label: "Go to your account", href: "/account" } : { label: "Start again", href: restart };
  return (
    <MessagePage title="This request expired" errorId={errorId} action={action}>
      It took too long, or you've signed in again. Nothing was shared.{" "}
      {restart === undefined ? "Go back to the app that sent you here and try again." : "Start again to continue."}
    </MessagePage>
  );
}
