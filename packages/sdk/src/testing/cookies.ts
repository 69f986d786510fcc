/** A cookie as Playwright's `storageState` has it. `expires`: Unix seconds, -1 for the end of the session. */
export type StoredCookie = {
  name: string;
  value: string;
  domain: string;
  path: string;
  expires: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite: "Strict" | "Lax" | "None";
};

/** The cookies of one browser. As in a browser, those of a host are sent to all of its ports. RFC 6265 §8.5. */
export class CookieJar {
  readonly #cookies = new Map<string, StoredCookie>();

  keep(response: Response, { hostname }: URL): void {
    for (const line of response.headers.getSetCookie()) {
      const cookie = parse(line, hostname);
      const key = `${cookie.domain} ${cookie.path} ${cookie.name}`;
      if (cookie.expires !== -1 && cookie.expires * 1000 <= Date.now()) this.#cookies.delete(key);
      else this.#cookies.set(key, cookie);
    }
  }

  all(): StoredCookie[] {
    return [...this.#cookies.values()];
  }

  /** The header `Cookie` of a request; "" if there is none. */
  headerFor({ hostname, pathname }: URL): string {
    const sent = this.all().filter(({ domain, path }) => domain === hostname && isBelow(pathname, path));
    return sent.map(({ name, value }) => `${name}=${value}`).join("; ");
  }
}

const isBelow = (path: string, cookiePath: string) =>
  path === cookiePath || path.startsWith(cookiePath.endsWith("/") ? cookiePath : `${cookiePath}/`);

function parse(line: string, hostname: string): StoredCookie {
  const [pair = "", ...rest] = line.split(";");
  const attributes = new Map(
    rest.map((attribute) => {
      const [name = "", ...value] = attribute.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim()];
    }),
  );
  const at = pair.indexOf("=");
  const sameSite = attributes.get("samesite")?.toLowerCase();
  return {
    name: pair.slice(0, at).trim(),
    value: pair.slice(at + 1).trim(),
    domain: hostname,
    path: attributes.get("path") || "/",
    expires: expiryOf(attributes),
    httpOnly: attributes.has("httponly"),
    secure: attributes.has("secure"),
    sameSite: sameSite === "strict" ? "Strict" : sameSite === "none" ? "None" : "Lax",
  };
}

/** RFC 6265 §5.3: Max-Age wins over Expires. */
function expiryOf(attributes: Map<string, string>): number {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return Math.floor(Date.now() / 1000) + Number(maxAge);
  const expires = Date.parse(attributes.get("expires") ?? "");
  return Number.isNaN(expires) ? -1 : Math.floor(expires / 1000);
}
