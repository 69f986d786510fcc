/** Headers with credentials, and internal ones. Signature headers stay: a signature is valid for this delivery only. */
const DROPPED =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|x-gatehouse-.*|x-vercel-protection-bypass|.*(?:secret|password|api-?key|-token))$/;

const MAX_HEADERS = 100;
const MAX_VALUE_LENGTH = 8192;

/** Headers for the log: names in lower case, without credentials, bounded in number and length. */
export function redactHeaders(headers: Headers): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [name, value] of headers) {
    if (kept.length === MAX_HEADERS) break;
    if (!DROPPED.test(name)) kept.push([name, value.slice(0, MAX_VALUE_LENGTH)]);
  }
  return Object.fromEntries(kept);
}
