import { webcrypto } from "node:crypto";
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";

const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
/** Authorities sign with elliptic curves, whose keys are generated much faster. */
const ECDSA = { name: "ECDSA", hash: "SHA-256", namedCurve: "P-256" };

let rsaKeys: Promise<webcrypto.CryptoKeyPair> | undefined;

/** One RSA key pair for all certificates that issue none. */
function sharedRsaKeys(): Promise<webcrypto.CryptoKeyPair> {
  rsaKeys ??= webcrypto.subtle.generateKey(RSA, true, ["sign", "verify"]);
  return rsaKeys;
}

/** A certificate, its private key, and the same certificate as files. */
export type Issued = {
  keys: webcrypto.CryptoKeyPair;
  pem: string;
  der: Uint8Array;
  privateKeyPem: string;
  subject: string;
};

export type ToIssue = {
  name: string;
  issuer?: Issued;
  /** Whether it may issue certificates. */
  authority?: boolean;
  hostnames?: readonly string[];
  validFrom?: Date;
  validTo?: Date;
  /** Where the certificate of its issuer can be downloaded. */
  issuerUrl?: string;
};

/** Issues a certificate, self-signed without an `issuer`. Valid from 2020 to 2040 by default. */
export async function issue(options: ToIssue): Promise<Issued> {
  const { name, issuer, authority = false, hostnames = [], issuerUrl } = options;
  const keys = authority ? await webcrypto.subtle.generateKey(ECDSA, true, ["sign", "verify"]) : await sharedRsaKeys();
  const signingKey = (issuer?.keys ?? keys).privateKey;
  const subject = `CN=${name}`;
  const extensions: Extension[] = [new BasicConstraintsExtension(authority, undefined, true)];
  const usage = authority ? KeyUsageFlags.keyCertSign : KeyUsageFlags.digitalSignature;
  extensions.push(new KeyUsagesExtension(usage, true));
  if (hostnames.length > 0)
    extensions.push(new SubjectAlternativeNameExtension(hostnames.map((value) => ({ type: "dns" as const, value }))));
  if (issuerUrl !== undefined) extensions.push(new AuthorityInfoAccessExtension({ caIssuers: issuerUrl }));

  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: issuer?.subject ?? subject,
    notBefore: options.validFrom ?? new Date("2020-01-01"),
    notAfter: options.validTo ?? new Date("2040-01-01"),
    signingKey,
    publicKey: keys.publicKey,
    signingAlgorithm: signingKey.algorithm.name === ECDSA.name ? ECDSA : RSA,
    extensions,
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  const privateKeyPem = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  return { keys, pem: certificate.toString("pem"), der: new Uint8Array(certificate.rawData), privateKeyPem, subject };
}
