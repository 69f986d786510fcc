import { REMEMBERED_SECONDS, rememberBrowser } from "@gatehouse/accounts";
import { cookie, cookieName, readCookie, type User } from "@gatehouse/auth";
import type { Visit } from "../../routing/route.ts";
import { sourceOf } from "../account/frame.ts";

const nameOf = ({ app: { deps } }: Pick<Visit, "app">) => cookieName("remembered", deps.config);

/** The secret of a browser that its user asked to remember. MF-08. */
export function rememberedSecret(visit: Pick<Visit, "request" | "app">): string | undefined {
  return readCookie(visit.request.headers.get("cookie"), nameOf(visit));
}

/** Remembers this browser for a user who has just taken the second step. Returns its cookie. */
export async function rememberThisBrowser(user: User, visit: Visit): Promise<string> {
  const { deps } = visit.app;
  const known = rememberedSecret(visit);
  const usable = known !== undefined && /^[\w-]{43}$/.test(known) ? known : undefined;
  const secret = await rememberBrowser(user, usable, sourceOf(visit), deps);
  return cookie(nameOf(visit), secret, deps.config, REMEMBERED_SECONDS);
}
