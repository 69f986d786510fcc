import { type Config, cookie, cookiesOf } from "@gatehouse/auth";

/** Node reads 16 KiB of headers and answers 431 beyond. What is left is for the longest answer of a provider, and for what browsers add. */
export const COOKIE_BUDGET_BYTES = 12_800;

/** What can be dropped, in this order: abandoned sign-ins at providers, then accounts that this browser is known to. The group names one of them. */
const EXPENDABLE = [/^(?:__Host-)?gatehouse_upstream_([\w-]{16})\.\d+$/, /^(?:__Host-)?gatehouse_known_([\w-]{12})$/];

export type CookieBudget = {
  /** The `Set-Cookie` values to add to the response, so that the browser's next requests can be read. */
  drops: string[];
  /** What the browser then sends. Above {@link COOKIE_BUDGET_BYTES} only if nothing is left to drop. */
  bytes: number;
};

/**
 * One budget for all cookies of this host, no matter who set them: `header` is what the browser sent, `setCookies` what the response sets. Drops
 * the oldest first, which browsers send first (RFC 6265 §5.4), and nothing that the response sets.
 */
export function budgetCookies(header: string | null, setCookies: readonly string[], config: Pick<Config, "issuer">): CookieBudget {
  const set = new Map(setCookies.map(readSetCookie));
  const kept = cookiesOf(header).filter(([name]) => !set.has(name));
  const added = [...set].flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  let bytes = [...kept, ...added].reduce((sum, [name, value]) => sum + name.length + value.length + 3, 0);

  const dropped = new Set<string>();
  const fresh = new Set([...set.keys()].map(groupOf));
  for (const kind of EXPENDABLE) {
    for (const [name] of kept) {
      const group = kind.exec(name)?.[1];
      if (bytes <= COOKIE_BUDGET_BYTES || group === undefined || dropped.has(name) || fresh.has(group)) continue;
      for (const [other, value] of kept) {
        if (kind.exec(other)?.[1] !== group) continue;
        dropped.add(other);
        bytes -= other.length + value.length + 3;
      }
    }
  }
  return { drops: [...dropped].map((name) => cookie(name, "", config, 0)), bytes };
}

const groupOf = (name: string) => EXPENDABLE.map((kind) => kind.exec(name)?.[1]).find((group) => group !== undefined);

/** Name and value; the value is undefined if the line deletes the cookie. */
function readSetCookie(line: string): [name: string, value: string | undefined] {
  const [pair = "", ...attributes] = line.split("; ");
  const at = pair.indexOf("=");
  return [pair.slice(0, at), attributes.includes("Max-Age=0") ? undefined : pair.slice(at + 1)];
}
