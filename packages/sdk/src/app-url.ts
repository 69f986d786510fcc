import type { AppUrl, SessionSettings } from "./settings.ts";

/**
 * The address of this app that a request is for. `Host` chooses among the configured addresses and adds none, so that no
 * URL comes from a header. PK-47.
 */
export function appUrlOf({ headers }: Pick<Request, "headers">, { apps }: Pick<SessionSettings, "apps">): AppUrl {
  const host = headers.get("host");
  return apps.find(({ origin }) => new URL(origin).host === host) ?? apps[0];
}
