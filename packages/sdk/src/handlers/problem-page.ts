import type { SessionSettings } from "../settings.ts";
import { renderPage } from "./page.ts";
import type { Problem, ProblemReason } from "./problem.ts";

const PAGES: Record<ProblemReason, { status: number; title: string; text: string; retryAfter?: number }> = {
  unreachable: {
    status: 503,
    title: "We can’t sign you in right now",
    text: "The sign-in service isn’t responding. Wait a moment, then try again.",
    retryAfter: 5,
  },
  denied: {
    status: 400,
    title: "Sign-in canceled",
    text: "You didn’t allow this app to sign you in. Try again when you’re ready.",
  },
  expired: {
    status: 400,
    title: "This sign-in has expired",
    text: "It took too long, was already used, or started in another browser. Try signing in again.",
  },
  failed: {
    status: 400,
    title: "Sign-in failed",
    text: "Something went wrong between this app and the sign-in service. Try again. If it keeps failing, tell the people who run this app.",
  },
  looping: {
    status: 400,
    title: "We couldn’t keep you signed in",
    text: "You signed in several times, but the session ended each time. Wait a minute, then try again. If it keeps failing, tell the people who run this app.",
  },
  too_large: {
    status: 500,
    title: "Sign-in failed",
    text: "Your session is too large for this browser’s cookies. The people who run this app can fix it with the option “store”.",
  },
  sign_out_incomplete: {
    status: 503,
    title: "You’re signed out of this app",
    text: "The sign-in service isn’t responding, so you may still be signed in there. Try signing out again in a moment.",
    retryAfter: 5,
  },
};

/** What is not about the problem itself. */
type Place = { tryAgain: string; errorId?: string | undefined };

/** The page for a sign-in or sign-out that failed: the app's own, if it has one. PK-46. */
export async function problemPage(reason: ProblemReason, place: Place, settings: SessionSettings): Promise<Response> {
  const { status, title, text, retryAfter } = PAGES[reason];
  const { errorId, tryAgain } = place;
  const problem: Problem = { reason, status, errorId, tryAgain };
  if (settings.problemPage) return settings.problemPage(problem);
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return renderPage({ status, title, text, action: { href: tryAgain, label: "Try again" }, errorId, headers });
}
