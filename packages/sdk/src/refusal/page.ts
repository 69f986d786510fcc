import { renderPage } from "../handlers/page.ts";
import { retryAfterOf } from "./json.ts";
import type { Refusal } from "./refusal.ts";

/** The refusals that a navigation sees as a page; it is redirected to sign in for the others. */
export type ShownRefusal = Extract<Refusal, { reason: "insufficient_scope" | "unavailable" | "cross_origin" }>;

/** The page for a refused navigation. `here` is the path that was asked for, `signIn` signs in as somebody else. */
export function refusePage(refusal: ShownRefusal, { here, signIn }: { here: string; signIn: string }): Response {
  if (refusal.reason === "insufficient_scope")
    return renderPage({
      status: 403,
      title: "You don’t have access to this page",
      text: "Your account lacks a permission that this page needs. Ask the people who run this app, or sign in with another account.",
      action: { href: signIn, label: "Sign in with another account" },
    });
  if (refusal.reason === "cross_origin")
    return renderPage({
      status: 403,
      title: "This request came from another site",
      text: "Only pages of this app can send it. Open the app and try again from there.",
      action: { href: here, label: "Open the app" },
    });
  return renderPage({
    status: 503,
    title: "We can’t check your sign-in right now",
    text: "The sign-in service isn’t responding. You’re still signed in: wait a moment, then try again.",
    action: { href: here, label: "Try again" },
    headers: retryAfterOf(refusal),
  });
}
