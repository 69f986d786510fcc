/** @jsxImportSource hono/jsx */
import { type Caller, OAuthError, recordRefusal } from "@gatehouse/auth";
import { MessagePage } from "../../views/message.tsx";
import type { App } from "../start/app.ts";
import { page } from "./respond.tsx";

/** 429 as a page, with `Retry-After`. Records the rejection in the failure ledger. */
export async function tooManyAttempts(waitSeconds: number, app: App, at: { endpoint: string; caller: Caller }): Promise<Response> {
  const error = new OAuthError("invalid_request", "rate_limited", "too many failed attempts", { detail: { waitSeconds } });
  const errorId = await recordRefusal(error, { endpoint: at.endpoint, clientId: null }, app.deps, at.caller);
  const minutes = Math.ceil(waitSeconds / 60);
  const content = (
    <MessagePage title="Too many attempts" errorId={errorId}>
      To keep accounts safe, we've paused this for now. Try again in {minutes === 1 ? "a minute" : `${minutes} minutes`}.
    </MessagePage>
  );
  return page(content, { status: 429, headers: { "Retry-After": String(waitSeconds), "Gatehouse-Error-Id": errorId } });
}
