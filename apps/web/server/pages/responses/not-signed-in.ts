import { atSignIn, unauthenticated } from "@gatehouse/auth";
import type { SessionRequirement } from "../../routing/policy-table.ts";
import type { App } from "../../start/app.ts";
import { seeOther } from "./respond.ts";

/**
 * 401 in JSON, or a redirect to the sign-in page and back, as the route requires. A pending request in the URL goes
 * along.
 */
export function notSignedIn(
  requires: SessionRequirement,
  { url: sent }: Pick<Request, "url">,
  deps: Pick<App["deps"], "seal" | "now">,
): Response {
  if (requires === "session") return unauthenticated();
  const url = new URL(sent);
  // Next's router adds `_rsc` to its own requests. The user returns to the page itself.
  if (url.searchParams.has("_rsc")) url.searchParams.delete("_rsc");
  const pending = url.searchParams.get("request");
  if (pending) return seeOther(`/sign-in?${new URLSearchParams({ request: atSignIn(pending, deps) })}`);
  return seeOther(signInPath(url.pathname + url.search));
}

/** The URL of the sign-in page that returns to `next`, a local path. */
export function signInPath(next: string): string {
  return `/sign-in?${new URLSearchParams({ next })}`;
}
