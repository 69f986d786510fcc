import type { Caller } from "@gatehouse/auth";
import type { EventSource } from "../events/account-event.ts";
import type { MailBrand } from "../mails/composer.ts";

/** What rules know about the request behind a change: for events, notices and limits. */
export type AccountRequest = {
  caller: Caller;
  /** The `User-Agent` header. */
  userAgent: string | null;
  /** The language of the page: for mails to people who have not chosen one. */
  locale: string;
  /** Of the application that the user is on the way to. */
  brand?: MailBrand | undefined;
};

/** The browser that an event names. */
export function sourceOf({ caller, userAgent }: AccountRequest): EventSource {
  return { userAgent, address: caller.address };
}

/** The data of a notice by mail. SN-04. */
export function noticeOf(request: AccountRequest, now: number): EventSource & { at: number } {
  return { at: now, ...sourceOf(request) };
}

/** The browser that acts, and the language of its page: for events and mails. */
export type ActingBrowser = { source: EventSource; locale: string };

/** {@link ActingBrowser} of a request. */
export function actingBrowser(request: AccountRequest): ActingBrowser {
  return { source: sourceOf(request), locale: request.locale };
}
