/** The names of the cookies of one client. */
export type CookieNames = { session: string; signIns: string };

/**
 * The names of this client's cookies. They have eight characters of the hash of its id and its server, because cookies
 * ignore ports: two products on one localhost keep their sessions, also if their servers gave them the same id. `__Host-` keeps other hosts from setting them; browsers reject it on
 * http, which is for loopback only. PK-27.
 */
export async function cookieNames(
  { issuer, clientId }: { issuer: string; clientId: string },
  { secure }: { secure: boolean },
): Promise<CookieNames> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${issuer} ${clientId}`)));
  const short = [...hash.slice(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const prefix = `${secure ? "__Host-" : ""}gatehouse_${short}_`;
  return { session: `${prefix}session`, signIns: `${prefix}sign_ins` };
}
