import { browserHash, type Hash } from "@gatehouse/auth";
import type { Visit } from "../../routing/route.ts";

/** The browser that makes this request, as a hash of its cookie: what mailed codes, challenges and tickets are bound to. Null without the cookie. */
export function browserOf({ request, app }: Pick<Visit, "request" | "app">): { hash: Hash | null } {
  return { hash: browserHash(request.headers.get("cookie"), app.deps) };
}
