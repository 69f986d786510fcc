/** Headers that carry somebody's credentials, or our own notes. Signature headers stay: they work once and prove the row. */
const DROPPED =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|x-gatehouse-.*|x-vercel-protection-bypass|.*(?:secret|password|api-?key|-token))$/;

const MAX_HEADERS = 100;
const MAX_VALUE_LENGTH = 8192;

/** The headers as the log keeps them: names in lower case, credentials left out, bounded in number and length. */
export function redactHeaders(headers: Headers): Record<string, string> {
  const kept = [...headers].filter(([name]) => !DROPPED.test(name)).slice(0, MAX_HEADERS);
  return Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, MAX_VALUE_LENGTH)]));
}
