import {
  type Check,
  describe,
  failed,
  headerOf,
  jsonOf,
  ok,
  type SiteContext,
  skipped,
  warning,
  webhookPath,
} from "../check.ts";
import { interferenceOf } from "../interference.ts";

const DISCOVERY = "/.well-known/oauth-authorization-server";
const FOREIGN_HOST = "doctor.invalid";
/** Token lifetimes and webhook windows tolerate no more. OP-84. */
const MAX_SKEW_SECONDS = 30;
const CERTIFICATE_SECONDS = 14 * 86_400;

const isHealthy: Check<SiteContext> = {
  id: "health",
  title: "The server answers",
  async run({ send }) {
    const reply = await send({ method: "GET", path: "/healthz" });
    if (reply.kind === "response" && reply.response.status === 200) return ok("200", "The server runs.");
    return interferenceOf(reply) ?? failed(describe(reply), "The health check fails.", "Look at the server's log.");
  },
};

const isCertificateCurrent: Check<SiteContext> = {
  id: "certificate",
  title: "The TLS certificate is valid for two more weeks",
  async run({ origin, send, now }) {
    if (!origin.startsWith("https:")) return skipped("The server runs on plain http.");
    const reply = await send({ method: "GET", path: "/healthz" });
    if (reply.kind === "failed")
      return interferenceOf(reply) ?? failed(describe(reply), "The certificate could not be read.", "Try again.");
    const end = reply.response.certificateEndsAt;
    if (end === null) return skipped("The certificate could not be read.");
    const days = Math.floor((end - now()) / 86_400);
    if (end - now() > CERTIFICATE_SECONDS) return ok(`${days} days`, "The certificate is valid.");
    return warning(
      `${days} days`,
      "The certificate ends soon, and then nothing is delivered.",
      "Renew it, and check why it was not renewed by itself.",
    );
  },
};

const isIssuerRight: Check<SiteContext> = {
  id: "issuer",
  title: "Discovery names this address as the issuer",
  async run({ origin, send }) {
    const reply = await send({ method: "GET", path: DISCOVERY });
    const issuer = reply.kind === "response" ? jsonOf(reply.response)?.["issuer"] : undefined;
    if (issuer === origin) return ok("200", "Clients that discover this server find the right issuer.");
    if (typeof issuer === "string")
      return failed(
        issuer,
        "The issuer differs from the address that was called, so clients reject the metadata.",
        `Set GATEHOUSE_ISSUER=${origin}, or call the server by its issuer.`,
      );
    return (
      interferenceOf(reply) ??
      failed(describe(reply), "The metadata document is missing.", "Route /.well-known of this host to Gatehouse.")
    );
  },
};

const areForwardedHostsIgnored: Check<SiteContext> = {
  id: "forwarded_host",
  title: "A forged X-Forwarded-Host changes nothing",
  async run({ send }) {
    const headers = { "x-forwarded-host": FOREIGN_HOST, forwarded: `host=${FOREIGN_HOST}` };
    const reply = await send({ method: "GET", path: DISCOVERY, headers });
    if (reply.kind === "failed")
      return interferenceOf(reply) ?? failed(describe(reply), "There was no answer.", "Try again.");
    const everything = `${JSON.stringify(reply.response.headers)}${reply.response.text}`;
    if (!everything.includes(FOREIGN_HOST)) return ok(describe(reply), "No URL comes from a request header.");
    return failed(
      describe(reply),
      "The host of a request header appears in the response, so attackers can redirect people.",
      "Remove X-Forwarded-Host in the proxy, and check what rewrites URLs.",
    );
  },
};

const areKeysPublished: Check<SiteContext> = {
  id: "jwks",
  title: "The signing keys are published",
  async run({ origin, send }) {
    const found = await send({ method: "GET", path: DISCOVERY });
    const uri = found.kind === "response" ? jsonOf(found.response)?.["jwks_uri"] : undefined;
    if (typeof uri !== "string" || !uri.startsWith(`${origin}/`))
      return failed(describe(found), "Discovery names no key set on this address.", "Correct GATEHOUSE_ISSUER first.");
    const reply = await send({ method: "GET", path: uri.slice(origin.length) });
    const keys = reply.kind === "response" ? jsonOf(reply.response)?.["keys"] : undefined;
    if (Array.isArray(keys) && keys.length > 0) return ok(`${keys.length} keys`, "Tokens can be verified.");
    return (
      interferenceOf(reply) ??
      failed(
        describe(reply),
        "The key set is empty or unreadable.",
        "Look at the server's log, and run gatehouse keys list.",
      )
    );
  },
};

const areCookiesSafe: Check<SiteContext> = {
  id: "cookies",
  title: "Cookies carry the right flags",
  async run({ origin, send }) {
    const reply = await send({ method: "GET", path: "/sign-in" });
    if (reply.kind === "failed")
      return interferenceOf(reply) ?? failed(describe(reply), "There was no answer.", "Try again.");
    const cookies = [reply.response.headers["set-cookie"] ?? []].flat();
    if (cookies.length === 0)
      return failed(
        describe(reply),
        "The sign-in page sets no cookie, so nobody can sign in.",
        "Make the proxy pass Set-Cookie on, and serve /sign-in from Gatehouse uncached.",
      );
    const wanted = origin.startsWith("https:") ? ["httponly", "samesite", "secure"] : ["httponly", "samesite"];
    for (const cookie of cookies) {
      const missing = wanted.filter((flag) => !cookie.toLowerCase().includes(flag));
      const [name = ""] = cookie.split("=", 1);
      if (missing.length > 0)
        return failed(
          name,
          `The cookie ${name} lacks ${missing.join(", ")}.`,
          "Make the proxy pass Set-Cookie on unchanged, and set GATEHOUSE_ISSUER to the https address.",
        );
      if (/;\s*domain=/i.test(cookie))
        return warning(
          name,
          `The cookie ${name} is sent to every subdomain.`,
          "Remove the Domain that the proxy adds.",
        );
    }
    return ok(`${cookies.length} cookies`, "Cookies are protected.");
  },
};

const areClocksEqual: Check<SiteContext> = {
  id: "clock",
  title: "The clocks agree",
  async run({ send, now }) {
    const before = now();
    const reply = await send({ method: "GET", path: "/healthz" });
    const date = reply.kind === "response" ? Date.parse(headerOf(reply.response, "date") ?? "") : Number.NaN;
    if (Number.isNaN(date)) return interferenceOf(reply) ?? skipped("The response has no Date header.");
    const at = Math.floor(date / 1000);
    // The server's second lies between the two readings, give or take the rounding.
    const skew = at < before ? at - before : Math.max(0, at - now());
    if (Math.abs(skew) <= MAX_SKEW_SECONDS) return ok(`${skew} s`, "Signatures with a timestamp can be verified.");
    return failed(
      `${skew} s`,
      "The server's clock and this machine's differ, so signed deliveries may look too old.",
      "Synchronize both clocks with NTP.",
    );
  },
};

const isUnknownNotFound: Check<SiteContext> = {
  id: "unknown",
  title: "An unknown endpoint gets 404",
  async run({ send }) {
    const reply = await send({
      method: "POST",
      path: webhookPath("gatehouse-doctor-unknown"),
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    if (reply.kind === "response" && reply.response.status === 404 && !interferenceOf(reply))
      return ok("404", "Wrong URLs are told apart.");
    return (
      interferenceOf(reply) ??
      failed(describe(reply), "A URL without an endpoint should get 404.", "Check what answers in place of Gatehouse.")
    );
  },
};

/** What is examined once, in the order of the report. */
export const SITE_CHECKS: readonly Check<SiteContext>[] = [
  isHealthy,
  isCertificateCurrent,
  isIssuerRight,
  areForwardedHostsIgnored,
  areKeysPublished,
  areCookiesSafe,
  areClocksEqual,
  isUnknownNotFound,
];
