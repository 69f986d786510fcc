import { type Config, cookie, cookieName, cookiesOf } from "@gatehouse/auth";

/** For the cookies of this server, of what browsers and the proxies in front of it accept. */
export const COOKIE_BUDGET_BYTES = 12_800;
/** For all cookies of the domain. What is left of {@link MAX_COOKIE_BYTES} is for the longest answer of a provider. */
const DOMAIN_BUDGET_BYTES = 44_000;
/** A request with more cookies gets a page that says so. */
export const MAX_COOKIE_BYTES = 48 * 1024;

export type CookieBudget = {
  /** The `Set-Cookie` values to add to the response, so that the browser's next requests can be read. */
  drops: string[];
  /** Would the browser then still send too much? Only if nothing is left to drop. */
  isOver: boolean;
};

/**
 * The budget of the cookies of this host: `header` is what the browser sent, `setCookies` what the response sets. Drops
 * the oldest first, which browsers send first (RFC 6265 §5.4), and nothing that the response sets. Cookies of others on
 * the domain leave ours alone until all of them are too many.
 */
export function budgetCookies(
  header: string | null,
  setCookies: readonly string[],
  config: Pick<Config, "issuer">,
): CookieBudget {
  const own = cookieName("", config);
  const set = new Map(setCookies.map(readSetCookie));
  const kept = cookiesOf(header).filter(([name]) => !set.has(name));
  const added = [...set].flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  const bytes = { own: 0, all: 0 };
  const count = ([name, value]: [string, string], sign: 1 | -1 = 1) => {
    const length = sign * (name.length + value.length + 3);
    bytes.all += length;
    if (name.startsWith(own)) bytes.own += length;
  };
  for (const pair of [...kept, ...added]) count(pair);
  const isOver = () => bytes.own > COOKIE_BUDGET_BYTES || bytes.all > DOMAIN_BUDGET_BYTES;

  const dropped = new Set<string>();
  const kinds = expendable(own);
  const groupOf = (name: string) => kinds.map((kind) => kind.exec(name)?.[1]).find((group) => group !== undefined);
  const fresh = new Set([...set.keys()].map(groupOf));
  for (const kind of kinds) {
    for (const [name] of kept) {
      const group = kind.exec(name)?.[1];
      if (!isOver() || group === undefined || dropped.has(name) || fresh.has(group)) continue;
      for (const pair of kept) {
        if (kind.exec(pair[0])?.[1] !== group) continue;
        dropped.add(pair[0]);
        count(pair, -1);
      }
    }
  }
  return { drops: [...dropped].map((name) => cookie(name, "", config, 0)), isOver: isOver() };
}

/**
 * What can be dropped, in this order: abandoned sign-ins at providers, then accounts that this browser is known to. The
 * group names one of them.
 */
const expendable = (own: string) => [
  new RegExp(`^${own}upstream_([\\w-]{16})\\.\\d+$`),
  new RegExp(`^${own}known_([\\w-]{12})$`),
];

/** Name and value; the value is undefined if the line deletes the cookie. */
function readSetCookie(line: string): [name: string, value: string | undefined] {
  const [pair = "", ...attributes] = line.split("; ");
  const at = pair.indexOf("=");
  return [pair.slice(0, at), attributes.includes("Max-Age=0") ? undefined : pair.slice(at + 1)];
}
