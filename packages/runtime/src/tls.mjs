import { constants, createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync, unwatchFile, watchFile } from "node:fs";
import { resolve } from "node:path";
import { configurationError } from "./configuration-error.mjs";

const CERTIFICATE = "GATEHOUSE_TLS_CERT_FILE";
const KEY = "GATEHOUSE_TLS_KEY_FILE";
const LOOK_EVERY_MS = 10_000;
/** Of the servers of this process. */
const reloads = new Set();

/** TLS 1.2 with forward secrecy and authenticated ciphers, and 1.3. https://wiki.mozilla.org/Security/Server_Side_TLS */
const PROTOCOL = {
  minVersion: "TLSv1.2",
  ciphers: [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
  ].join(":"),
  honorCipherOrder: true,
  // A client could have the server compute a key exchange for each packet.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

export function readTlsFiles(variables, publicUrl, folder) {
  const { [CERTIFICATE]: certFile, [KEY]: keyFile } = variables;
  if (!certFile && !keyFile) return undefined;
  if (!certFile || !keyFile)
    throw configurationError(`${certFile ? KEY : CERTIFICATE} must be set too: TLS needs both`);
  if (!publicUrl.startsWith("https:"))
    throw configurationError(`${CERTIFICATE} is for https, but the public address is ${publicUrl}`);
  return { certFile: resolve(folder, certFile), keyFile: resolve(folder, keyFile) };
}

export function readCertificate({ certFile, keyFile }) {
  const cert = readNamed(CERTIFICATE, certFile);
  const key = readNamed(KEY, keyFile);
  if (process.platform !== "win32" && (statSync(keyFile).mode & 0o007) !== 0)
    throw configurationError(`${KEY} names a file that other users can read: chmod o= ${keyFile}`);
  const first = parse(CERTIFICATE, certFile, "a certificate", () => new X509Certificate(cert));
  const secret = parse(KEY, keyFile, "a private key without a password", () => createPrivateKey(key));
  if (!first.checkPrivateKey(secret))
    throw configurationError(`${KEY} is not the key of the certificate in ${certFile}`);
  if (Date.parse(first.validTo) < Date.now())
    throw configurationError(`${CERTIFICATE} has a certificate that ended on ${first.validTo}`);
  return { ...PROTOCOL, cert, key };
}

export function certificateEnd(certFile) {
  try {
    return Math.floor(Date.parse(new X509Certificate(readFileSync(certFile)).validTo) / 1000);
  } catch {
    return undefined;
  }
}

export function followCertificate(server, files, onReload, everyMs = LOOK_EVERY_MS) {
  const reload = () => {
    try {
      server.setSecureContext(readCertificate(files));
      onReload();
    } catch (error) {
      onReload(error);
    }
  };
  // One of the two changes first, and fits the other only when that has changed, too.
  const changed = (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) reload();
  };
  for (const file of [files.certFile, files.keyFile])
    watchFile(file, { interval: everyMs, persistent: false }, changed);
  reloads.add(reload);
  server.once("close", () => {
    for (const file of [files.certFile, files.keyFile]) unwatchFile(file, changed);
    reloads.delete(reload);
  });
}

export function reloadCertificates() {
  for (const reload of reloads) reload();
}

function readNamed(variable, file) {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw configurationError(`${variable} names ${file}, which cannot be read (${cause.code})`);
  }
}

function parse(variable, file, what, read) {
  try {
    return read();
  } catch {
    throw configurationError(`${variable} names ${file}, which is not ${what} in PEM`);
  }
}
