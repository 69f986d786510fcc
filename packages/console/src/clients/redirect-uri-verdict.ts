import { type ClientType, checkRedirectUri, type Environment, nearestAcceptable, redirectUriExamples } from "@gatehouse/auth";

type RedirectUriVerdict =
  | { ok: true; warning: string | null; examples: ReturnType<typeof redirectUriExamples> }
  | { ok: false; message: string; nearest: ReturnType<typeof nearestAcceptable> };

/** Can this URI be registered? If so, what it will match and what it will not, and what to consider; if not, why, and the nearest that can. CO-25. */
export function redirectUriVerdict(candidate: { uri: string; type: ClientType; environment: Environment }): RedirectUriVerdict {
  const check = checkRedirectUri(candidate);
  if (check.ok) return { ok: true, warning: check.warning ?? null, examples: redirectUriExamples(candidate.uri, candidate.type) };
  return { ok: false, message: check.message, nearest: nearestAcceptable(candidate) };
}
