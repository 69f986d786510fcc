/** @jsxImportSource hono/jsx */
import type { AuthorizeResult } from "@gatehouse/auth";
import { ExpiredPage, LeavePage, RefusedPage } from "../../views/message.tsx";
import { page, seeOther } from "./respond.tsx";

/** Turns the decision of the protocol into a response with our URLs and pages. */
export function proceed(next: AuthorizeResult): Response {
  switch (next.kind) {
    case "redirect":
      return seeOther(next.to);
    case "sign_in":
      return seeOther(`/sign-in?${new URLSearchParams({ request: next.request, ...(next.loginHint && { email: next.loginHint }) })}`);
    case "consent":
      return seeOther(`/consent?${new URLSearchParams({ request: next.request })}`);
    case "refuse":
      return refused(next);
  }
}

function refused({ error, errorId, restart, leave }: Extract<AuthorizeResult, { kind: "refuse" }>): Response {
  const expired = error.refusalCause === "pending_request_expired";
  const content = leave ? (
    <LeavePage detail={error.description} denied={error.refusalCause === "user_denied"} errorId={errorId} leave={leave} />
  ) : expired ? (
    <ExpiredPage errorId={errorId} restart={restart} />
  ) : (
    <RefusedPage detail={error.description} errorId={errorId} />
  );
  return page(content, { status: error.status, headers: { "Gatehouse-Error-Id": errorId, ...error.headers } });
}
