import type { ActiveSession } from "@gatehouse/auth";
import { pictureTime } from "@gatehouse/console/users/profile";
import type { AccountFrame } from "../../../views/account/layout.tsx";
import type { Visit } from "../../routing/visit.ts";
import { sessionCsrf } from "../forms/csrf.ts";

/**
 * What every page of the account is rendered with. `notices`: the messages after an action, by the key in the query, so
 * that a link cannot put its own text on the page.
 */
export async function accountFrame(
  visit: Visit<ActiveSession>,
  notices: Readonly<Record<string, string>> = {},
): Promise<AccountFrame> {
  const { url, session, app, frame } = visit;
  const { user } = session;
  const pictureAt = await pictureTime(user.id, app.deps);
  const key = url.searchParams.get("notice") ?? "";
  return {
    frame,
    csrf: sessionCsrf(visit),
    user,
    picture: pictureAt === undefined ? undefined : `/account/picture?v=${pictureAt}`,
    consoleUrl: frame.consoleUrl,
    notice: Object.hasOwn(notices, key) ? notices[key] : undefined,
  };
}
