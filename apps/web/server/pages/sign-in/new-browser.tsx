/** @jsxImportSource preact */
import { csrfToken } from "@gatehouse/auth";
import { NewBrowserPage, type NewBrowserProps } from "../../../views/sign-in/new-browser.tsx";
import { type Continuation, continuationQuery } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/route.ts";
import { page } from "../responses/respond.tsx";

/** Where a browser that the account does not know gets and enters a code. AB-03. */
export function newBrowserPath(email: string, continuation: Continuation, more: Record<string, string> = {}): string {
  return `/sign-in/new-browser${continuationQuery(continuation, { email, ...more })}`;
}

/** The page where a code is asked for and typed. */
export function newBrowserPage(visit: Visit, props: Omit<NewBrowserProps, "frame" | "csrf">): Response {
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  const content = <NewBrowserPage {...props} frame={visit.frame} csrf={token} />;
  return page(content, { status: props.problem === undefined ? 200 : 400, cookies: [setCookie] });
}
