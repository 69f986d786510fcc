/** @jsxImportSource preact */
import { OAuthError, recordRefusal } from "@gatehouse/auth";
import { amount } from "@gatehouse/languages";
import { MessagePage } from "../../../views/message.tsx";
import type { Visit } from "../../routing/visit.ts";
import { page } from "./respond.ts";

type TooManyVisit = Pick<Visit, "app" | "caller" | "frame">;

/** 429 as a page, with `Retry-After`. Records the rejection in the failure ledger. */
export async function tooManyAttempts(waitSeconds: number, visit: TooManyVisit, endpoint: string): Promise<Response> {
  const { app, caller, frame } = visit;
  const error = new OAuthError("invalid_request", "rate_limited", "too many failed attempts", { detail: { waitSeconds } });
  const errorId = await recordRefusal(error, { endpoint, clientId: null }, app.deps, caller);
  const { tooMany, tooManyText } = frame.texts.errors;
  const content = (
    <MessagePage frame={frame} title={tooMany} errorId={errorId}>
      {tooManyText(amount(Math.ceil(waitSeconds / 60), "minute", frame.locale))}
    </MessagePage>
  );
  return page(content, { status: 429, headers: { "Retry-After": String(waitSeconds), "Gatehouse-Error-Id": errorId } });
}
