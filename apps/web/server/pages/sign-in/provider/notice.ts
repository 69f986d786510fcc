import { readPendingLink, type SignInProvider } from "@gatehouse/accounts";
import type { Visit } from "../../../routing/visit.ts";

/** What the sign-in page says after a sign-in at a provider did not end in a session. */
export type ProviderNotice = { note?: string; problem?: string; errorId?: string };

/**
 * What waits in this browser to be connected by the next sign-in, and the problem that the query names: by
 * its key alone, so that a link cannot put its own text on the page. UP-05, UP-08.
 */
export function providerNotice(
  { url, request, app, texts: { upstream } }: Visit,
  providers: readonly SignInProvider[],
): ProviderNotice {
  const nameOf = (provider: string | null | undefined) => providers.find(({ id }) => id === provider)?.name;
  const waiting = nameOf(readPendingLink(request.headers.get("cookie"), app.deps)?.identity.provider);
  const note = waiting === undefined ? {} : { note: upstream.prove(waiting) };
  const query = url.searchParams;
  const failed = nameOf(query.get("provider"));
  const key = query.get("problem") ?? "";
  if (failed === undefined || !Object.hasOwn(upstream.problems, key)) return note;
  const errorId = /^[\w-]{1,64}$/.exec(query.get("error_id") ?? "")?.[0];
  const problem = upstream.problems[key as keyof typeof upstream.problems](failed);
  return { ...note, problem, ...(errorId !== undefined && { errorId }) };
}
