/** @jsxImportSource preact */
import { type AuthorizeResult, devicePath } from "@gatehouse/auth";
import { FORM_POST_SCRIPT, FormPostPage } from "../../../views/form-post.tsx";
import type { Frame } from "../../../views/frame.ts";
import { ExpiredPage, LeavePage, RefusedPage } from "../../../views/message.tsx";
import { confirmPath } from "../../../views/sign-in/confirm.tsx";
import { scriptHeaders } from "../../routing/headers.ts";
import { page, seeOther } from "../responses/respond.ts";

const FORM_POST_HEADERS = scriptHeaders(FORM_POST_SCRIPT);

/** Turns the decision of the protocol into a response with our URLs and pages. */
export function authorizationResponse(next: AuthorizeResult, frame: Frame): Response {
  switch (next.kind) {
    case "redirect":
      return seeOther(next.to);
    case "form_post":
      return page(<FormPostPage frame={frame} {...next} />, { headers: FORM_POST_HEADERS });
    case "sign_in": {
      if (next.renews) return seeOther(confirmPath({ request: next.request, next: undefined, form: undefined }));
      const query = new URLSearchParams({ request: next.request, ...(next.loginHint && { email: next.loginHint }) });
      return seeOther(`${next.create ? "/sign-up" : "/sign-in"}?${query}`);
    }
    case "verify_email":
      return seeOther(`/verify-email?${new URLSearchParams({ request: next.request })}`);
    case "second_step":
      return seeOther(`/sign-in/second-step?${new URLSearchParams({ request: next.request, raise: "1" })}`);
    case "device":
      return seeOther(devicePath(next.userCode));
    case "consent":
      return seeOther(`/consent?${new URLSearchParams({ request: next.request })}`);
    case "refuse":
      return refused(next, frame);
  }
}

function refused(
  { error, errorId, restart, leave }: Extract<AuthorizeResult, { kind: "refuse" }>,
  frame: Frame,
): Response {
  const expired = error.refusalCause === "pending_request_expired";
  const content = leave ? (
    <LeavePage
      frame={frame}
      detail={error.description}
      denied={error.refusalCause === "user_denied"}
      errorId={errorId}
      leave={leave}
    />
  ) : expired ? (
    <ExpiredPage frame={frame} errorId={errorId} restart={restart} />
  ) : (
    <RefusedPage frame={frame} detail={error.description} errorId={errorId} />
  );
  return page(content, { status: error.status, headers: { "Gatehouse-Error-Id": errorId, ...error.headers } });
}
