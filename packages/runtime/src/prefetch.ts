/**
 * What browsers send with such a request; all but the first are of older ones.
 * https://fetch.spec.whatwg.org/#sec-purpose-header
 */
const MARKS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
const AHEAD = /\b(?:prefetch|prerender|preview|instant)\b/i;

/** Does the browser load this page before its user has asked for it? Such a request must change nothing. */
export function isPrefetch(headers: { get(name: string): string | null }): boolean {
  return MARKS.some((name) => {
    const value = headers.get(name);
    return value !== null && AHEAD.test(value);
  });
}

/** 503, which browsers discard: they send the request again when the user follows the link. */
export function refusePrefetch(): Response {
  return new Response(null, { status: 503, headers: { "Cache-Control": "no-store" } });
}
