/**
 * No frames, plugins or other origins. No form-action: Chromium applies it to the redirect to the client too (SE-11).
 */
const policy = (scripts: "'none'" | "'self'" | `'sha256-${string}'`) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `script-src ${scripts}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

/**
 * Headers of every page and redirect. AZ-29, SE-10…SE-14. No opener policy: it would break clients that use pop-ups.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": policy("'none'"),
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
};

/**
 * Headers of a picture of a page, for the console alone to frame: it loads only styles, fonts and images, and sends
 * nothing. CO-68.
 */
export const previewHeaders = (adminUrl: string): Readonly<Record<string, string>> => ({
  "Content-Security-Policy": [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${adminUrl}`,
    "sandbox allow-same-origin",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
});

/**
 * Headers of a page that loads our script: as strict, except for the scripts of our own origin. They can connect
 * nowhere. WA-11.
 */
export const OWN_SCRIPT_HEADERS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  "Content-Security-Policy": policy("'self'"),
};

/** Headers of a page whose only script is one in the page, known by its hash. */
export const scriptHeaders = (hash: `'sha256-${string}'`): Readonly<Record<string, string>> => ({
  ...PAGE_HEADERS,
  "Content-Security-Policy": policy(hash),
});

/**
 * Headers of a React page: as strict, except for the scripts and styles that Next renders with the nonce and for
 * requests to our own origin. `development` allows what Next's development server needs.
 */
export function reactPageHeaders(nonce: string, development: boolean): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return { ...PAGE_HEADERS, "Content-Security-Policy": policy.join("; ") };
}

const EVERYWHERE = { "x-content-type-options": "nosniff" };
const EVERYWHERE_HTTPS = { ...EVERYWHERE, "strict-transport-security": "max-age=31536000; includeSubDomains" };

/**
 * Headers of every response. HSTS only if the issuer is https (SE-01). Names in lower case, so that they replace those
 * of a handler.
 */
export function everywhereHeaders(issuer: string): Record<string, string> {
  return issuer.startsWith("https:") ? EVERYWHERE_HTTPS : EVERYWHERE;
}
