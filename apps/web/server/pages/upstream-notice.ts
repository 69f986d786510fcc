import type { SignInProvider } from "@gatehouse/accounts";
import type { Texts } from "@gatehouse/languages";

/** What the sign-in page says after a sign-in at a provider did not end in a session. */
export type UpstreamNotice = { note?: string; problem?: string; errorId?: string };

/** Reads it from the query of the sign-in page, by keys alone, so that a link cannot put its own text on the page. UP-05, UP-08. */
export function upstreamNoticeOf(query: URLSearchParams, providers: readonly SignInProvider[], { upstream }: Texts): UpstreamNotice {
  const provider = providers.find(({ id }) => id === query.get("provider"))?.name;
  if (provider === undefined) return {};
  if (query.get("notice") === "prove") return { note: upstream.prove(provider) };
  const key = query.get("problem") ?? "";
  if (!Object.hasOwn(upstream.problems, key)) return {};
  const errorId = /^[\w-]{1,64}$/.exec(query.get("error_id") ?? "")?.[0];
  return { problem: upstream.problems[key as keyof typeof upstream.problems](provider), ...(errorId !== undefined && { errorId }) };
}
