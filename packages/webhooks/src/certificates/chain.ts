import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";

const MAX_CERTIFICATES = 8;
const MAX_CHAIN_LENGTH = 6;

/**
 * Reads the certificates of a PEM file, or the one of a DER file. Returns an empty list if there is none that can be
 * read.
 */
export function readCertificates(file: Uint8Array): X509Certificate[] {
  const pem = Buffer.from(file).toString("latin1");
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [file];
  try {
    return blocks.slice(0, MAX_CERTIFICATES).map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}

/** Trusted roots by subject. */
export type Roots = ReadonlyMap<string, readonly X509Certificate[]>;

export function readRoots(pems: readonly string[]): Roots {
  const roots = new Map<string, X509Certificate[]>();
  for (const pem of pems) {
    const root = new X509Certificate(pem);
    roots.set(root.subject, [...(roots.get(root.subject) ?? []), root]);
  }
  return roots;
}

let publicRoots: Roots | undefined;

/** The public certificate authorities that Node trusts. Read when first used: there are over a hundred. */
export function nodeRoots(): Roots {
  publicRoots ??= readRoots(rootCertificates);
  return publicRoots;
}

/**
 * Whether a chain of valid certificates leads from `leaf` over `intermediates` to a root. `now`: Unix seconds. RFC 5280
 * §6.1.
 */
export function isTrusted(
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
  roots: Roots,
  now: number,
): boolean {
  return isValidAt(leaf, now) && lastOfChain(leaf, intermediates, roots, now) === "root";
}

/** The last certificate that can be reached from `leaf`; its issuer is missing. `root` if the chain is complete. */
export function lastOfChain(
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
  roots: Roots,
  now: number,
): X509Certificate | "root" {
  let current = leaf;
  for (let length = 1; length < MAX_CHAIN_LENGTH; length++) {
    const subject = current;
    const issued = (issuer: X509Certificate) => isIssuer(issuer, subject, now);
    if (roots.get(subject.issuer)?.some(issued)) return "root";
    const issuer = intermediates.find(issued);
    if (!issuer) break;
    current = issuer;
  }
  return current;
}

/** `checkIssued` compares names and key usage; the signature has to be verified too. */
function isIssuer(issuer: X509Certificate, subject: X509Certificate, now: number): boolean {
  return issuer.ca && isValidAt(issuer, now) && subject.checkIssued(issuer) && subject.verify(issuer.publicKey);
}

/** Is the time, in Unix seconds, within the validity of the certificate? */
function isValidAt(certificate: X509Certificate, now: number): boolean {
  return Date.parse(certificate.validFrom) <= now * 1000 && now * 1000 <= Date.parse(certificate.validTo);
}
