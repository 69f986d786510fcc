/**
 * Of what is no page: redirects, refusals, data. A refusal can be a page of the sdk, which has its style in itself.
 */
export const POLICY_OF_THE_REST =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Allows resources from this origin only, and scripts and style elements with this nonce only. Style attributes are
 * allowed: Mantine and the charts set sizes in them. `style-src` is for browsers that do not know the other two. CO-92.
 */
export function contentSecurityPolicy(
  nonce: string,
  { development, secure, issuer }: { development: boolean; secure: boolean; issuer: string },
): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    `style-src-elem 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    `frame-src ${issuer}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(secure ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
