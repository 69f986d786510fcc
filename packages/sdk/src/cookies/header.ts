/** The cookies of a request by name. Of a name that is sent twice, the first: browsers send the most specific one first. */
export function cookiesOf(headers: Headers): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}

/** Attributes of every cookie of the SDK. SameSite=Lax, so that links from elsewhere arrive signed in. PK-27. */
export function setCookie(
  name: string,
  value: string,
  { secure, maxAge }: { secure: boolean; maxAge: number },
): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}
