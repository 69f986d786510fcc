/** Every {@link ClientType}. */
export const CLIENT_TYPES = ["web", "browser", "native", "service", "device"] as const;
/**
 * `web`: confidential, server side · `browser`: public single-page app · `native`: public desktop or mobile app ·
 * `service`: confidential, client credentials only · `device`: public, input-constrained. OAuth 2.1 §2.1, RFC 8628.
 */
export type ClientType = (typeof CLIENT_TYPES)[number];
