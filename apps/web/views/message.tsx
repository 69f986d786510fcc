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

/** A page that only says something: refused, expired, not found, too many attempts. */
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
            Error id <code>{errorId}</code>. The people who run this site can use it to find out what happened.
          </p>
        ) : null}
      </div>
    </Layout>
  );
}

/** The authorization request was refused before its redirect URI was proven, so the browser stays here. OAuth 2.1 §4.1.2.1. */
export function RefusedPage({ detail, errorId }: { detail?: string | undefined; errorId?: string | undefined }) {
  return (
    <MessagePage title="This request cannot go on" detail={detail} errorId={errorId}>
      The application that sent you here made a request that we cannot trust. You have done nothing wrong, and nothing was shared. Go back
      to the application and try again.
    </MessagePage>
  );
}

type LeaveProps = { detail: string | undefined; denied: boolean; errorId: string; leave: { to: string; host: string } };

/** An answer for an application that nobody vouches for: the user is told, and goes on only by choice. OAuth 2.1 §7.13.2; AZ-35. */
export function LeavePage({ detail, denied, errorId, leave }: LeaveProps) {
  return (
    <MessagePage
      title={denied ? "You said no" : "This request cannot go on"}
      detail={denied ? undefined : detail}
      errorId={errorId}
      action={{ label: `Continue to ${leave.host}`, href: leave.to }}
    >
      {denied ? "Nothing was shared with the application." : "The application made a request that cannot be met. Nothing was shared."}{" "}
      Nobody here has checked this application. Continue only if you know where the button leads.
    </MessagePage>
  );
}

/** The pending request was altered, of another session, or older than its life. AZ-31. */
export function ExpiredPage({ errorId, restart }: { errorId?: string | undefined; restart?: string | undefined }) {
  const action = restart === undefined ? { label: "Go to your account", href: "/account" } : { label: "Start again", href: restart };
  return (
    <MessagePage title="This took too long" errorId={errorId} action={action}>
      This request has expired, or it belongs to another sign-in. Nothing was shared.{" "}
      {restart === undefined ? "Go back to the application that sent you here and try once more." : "You can start it again from here."}
    </MessagePage>
  );
}
