import type { X509Certificate } from "node:crypto";
import type { FetchDeps } from "../providers/adapter.ts";
import { isTrusted, lastOfChain, nodeRoots, readCertificates } from "./chain.ts";
import { createDownloads, type Downloads } from "./downloads.ts";

type CertificateDeps = Pick<FetchDeps, "now" | "sender" | "fetchCertificate" | "trustedRoots">;

/** One cache per installation, because each has its own way out and its own trust. */
const caches = new WeakMap<CertificateDeps["fetchCertificate"], Downloads<Uint8Array | undefined>>();

/**
 * Resolves to the RSA public key (SPKI, DER) of the certificate at `url`; undefined if the file is not a valid
 * certificate for one of `hostnames` that a trusted authority issued. Rejects with `ProviderUnreachable` if it cannot
 * be downloaded now.
 */
export function findSigningKey(
  url: string,
  hostnames: readonly string[],
  deps: CertificateDeps,
): Promise<Uint8Array | undefined> {
  const downloads = caches.get(deps.fetchCertificate) ?? createDownloads();
  caches.set(deps.fetchCertificate, downloads);
  return downloads(url, deps.sender, deps.now(), async () => {
    const [leaf, ...intermediates] = readCertificates(await deps.fetchCertificate(url));
    if (!leaf || !isIssuedTo(leaf, hostnames)) return { value: undefined, expiresAt: undefined };
    const trusted = await isChainTrusted(leaf, intermediates, deps);
    const usable = trusted && leaf.publicKey.asymmetricKeyType === "rsa";
    return {
      value: usable ? leaf.publicKey.export({ type: "spki", format: "der" }) : undefined,
      expiresAt: usable ? Math.floor(Date.parse(leaf.validTo) / 1000) : undefined,
    };
  });
}

/** Exact names only: a wildcard certificate is one of a web server. */
function isIssuedTo(leaf: X509Certificate, hostnames: readonly string[]): boolean {
  return hostnames.some((hostname) => leaf.checkHost(hostname, { wildcards: false }) !== undefined);
}

/**
 * Intermediates that are missing from the file are downloaded from the address that the certificate names. RFC 5280
 * §4.2.2.1.
 */
async function isChainTrusted(
  leaf: X509Certificate,
  intermediates: X509Certificate[],
  deps: CertificateDeps,
): Promise<boolean> {
  const roots = deps.trustedRoots ?? nodeRoots();
  const now = deps.now();
  for (let downloads = 0; downloads < 2; downloads++) {
    const last = lastOfChain(leaf, intermediates, roots, now);
    const url = last === "root" ? undefined : issuerUrl(last);
    if (url === undefined) break;
    intermediates = [...intermediates, ...readCertificates(await deps.fetchCertificate(url))];
  }
  return isTrusted(leaf, intermediates, roots, now);
}

/** Authorities name http addresses and serve https ones too. */
function issuerUrl(certificate: X509Certificate): string | undefined {
  const url = /^CA Issuers - URI:https?:\/\/(\S+)$/m.exec(certificate.infoAccess ?? "")?.[1];
  return url === undefined ? undefined : `https://${url}`;
}
