import { isIP } from "node:net";

/** How passkeys are bound to this installation. */
export type PasskeySettings = {
  /** The domain that browsers bind passkeys to: the issuer's host, or a parent domain of it. */
  rpId: string;
  /** The issuer. Ceremonies on any other origin are rejected. */
  origin: string;
  /** Other origins that may use passkeys of `rpId`, published at `/.well-known/webauthn`. WebAuthn L3 §5.11. */
  relatedOrigins: readonly string[];
};

/**
 * The settings for an issuer. Null if its host is an IP address: browsers bind passkeys to domains only. `rpId` must
 * satisfy {@link isRpIdOf}. WA-01.
 */
export function passkeySettings(
  issuer: string,
  { rpId, ...more }: Partial<PasskeySettings> = {},
): PasskeySettings | null {
  const { hostname, origin } = new URL(issuer);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) return null;
  return { relatedOrigins: [], ...more, rpId: rpId ?? hostname, origin };
}

/**
 * Whether `rpId` is the issuer's host or a parent domain of it with at least two labels. WebAuthn L3 §5.1.3, step 8.
 */
export function isRpIdOf(rpId: string, issuer: string): boolean {
  const { hostname } = new URL(issuer);
  if (rpId === hostname) return isIP(hostname) === 0;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(rpId) && hostname.endsWith(`.${rpId}`) && isIP(hostname) === 0;
}
