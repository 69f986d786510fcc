import { localPath } from "@gatehouse/guard/routes";
import type { Core } from "../core.ts";
import type { SignInOptions } from "../handlers/demand.ts";
import { readPagePath } from "./page-path.ts";

/** A sign-in to begin. Without `returnTo`, the user returns to the page of this request. */
export type PageSignInOptions = Omit<SignInOptions, "returnTo"> & Partial<Pick<SignInOptions, "returnTo">>;

/**
 * The path that signs the user in and back, without the base path, which Next adds. `headers` are those of the request:
 * they name the page where `returnTo` does not.
 */
export async function pageSignInPath(
  core: Core,
  headers: Headers,
  { returnTo, ...demand }: PageSignInOptions,
): Promise<string> {
  const { apps, path } = await core.settings();
  const [{ basePath }] = apps;
  const to = returnTo === undefined ? (readPagePath(headers) ?? pageOfAction(headers, apps)) : basePath + returnTo;
  const signIn = await core.signInPath({
    ...demand,
    returnTo: localPath(to, { outside: basePath + path }) ?? `${basePath}/`,
  });
  return signIn.slice(basePath.length);
}

/** A page of this app, which its own Action names as the referrer. */
function pageOfAction(headers: Headers, apps: readonly { origin: string }[]): string | undefined {
  const referer = headers.get("referer");
  if (!headers.has("next-action") || referer === null || !URL.canParse(referer)) return undefined;
  const { origin, pathname, search } = new URL(referer);
  return apps.some((app) => app.origin === origin) ? pathname + search : undefined;
}
