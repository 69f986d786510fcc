import { domainToASCII } from "node:url";

/** RFC 5321 §4.5.3.1.3: 256 octets of path, less its angle brackets. */
const MAX_OCTETS = 254;
/** RFC 5321 §4.5.3.1.1. */
const MAX_LOCAL_OCTETS = 64;

/**
 * Longer text has no form of {@link MAX_OCTETS}. Normalising, and Punycode for domains, take the square of its length.
 */
const MAX_TYPED = 1024;

/** Control characters, spaces, and what separates or quotes addresses in a mail header. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s,;:<>()[\]"\\]/u;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The one form in which an email address is stored, compared and mailed: trimmed, NFC, lower case, the domain in IDNA
 * ASCII. Undefined for anything but a single address of at most 254 octets with a domain name. Every way in uses it, so
 * that an address has one account. EA-01.
 */
export function normaliseEmail(typed: string): string | undefined {
  const spelled = typed.trim();
  if (spelled.length > MAX_TYPED) return undefined;
  const text = spelled.normalize("NFC").toLowerCase();
  const at = text.lastIndexOf("@");
  if (at < 1 || FORBIDDEN.test(text)) return undefined;
  const local = text.slice(0, at);
  if (local.includes("@") || /^\.|\.\.|\.$/.test(local)) return undefined;
  const domain = normaliseDomain(text.slice(at + 1));
  if (domain === undefined) return undefined;
  const email = `${local}@${domain}`;
  const tooLong = Buffer.byteLength(email) > MAX_OCTETS || Buffer.byteLength(local) > MAX_LOCAL_OCTETS;
  return tooLong ? undefined : email;
}

/** A domain name in IDNA ASCII and lower case; undefined if it is none, or an IP address. */
export function normaliseDomain(typed: string): string | undefined {
  if (typed.length > MAX_TYPED) return undefined;
  const domain = domainToASCII(typed.trim());
  const labels = domain.split(".");
  if (domain === "" || domain.length > 253 || !labels.every((label) => LABEL.test(label))) return undefined;
  // domainToASCII turns 0x7f.1 and the like into an IPv4 address.
  return /^\d+$/.test(labels.at(-1) ?? "") ? undefined : domain;
}

/** The part of a normalised address after the @. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** The part of a normalised address before the @. */
export function localPartOf(email: string): string {
  return email.slice(0, email.lastIndexOf("@"));
}

/**
 * A normalised address without dots and tag, since many providers deliver all of these to one mailbox. For counting
 * mails only: two accounts can have addresses that fold to the same text. AB-07.
 */
export function foldEmail(email: string): string {
  const [name = ""] = localPartOf(email).split("+");
  return `${name.replaceAll(".", "") || localPartOf(email)}@${domainOf(email)}`;
}

/**
 * Whether an address may be used by somebody who is not invited. `domains` are exact, without their sub-domains; an
 * empty list allows all. RG-01.
 */
export function isAllowedDomain(email: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(domainOf(email));
}
