import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
} from "node:crypto";

// Signatures that `minisign -V` verifies. https://jedisct1.github.io/minisign/
// A release is signed where there is no minisign, and its formats are Ed25519 over a hash with a few bytes around it.

/** The id that signatures name their key by, and the seed of the key. */
export type SigningKey = { id: Buffer; seed: Buffer };
export type VerifyingKey = { id: Buffer; point: Buffer };

const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const ED25519_SPKI = Buffer.from("302a300506032b6570032100", "hex");
const SECRET_KEY_BYTES = 158;
/** Of a file's BLAKE2b-512, not of the file itself. */
const PREHASHED = "ED";

export function newSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { id: randomBytes(8), seed: privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32) };
}

/** Reads the file that `minisign -G -W` writes: a key without a password. Throws with what is wrong. */
export function readSigningKey(file: string): SigningKey {
  const bytes = Buffer.from(file.trim().split("\n").at(-1) ?? "", "base64");
  if (bytes.length !== SECRET_KEY_BYTES || bytes.toString("latin1", 0, 2) !== "Ed")
    throw new Error("The signing key is not a secret key of minisign.");
  if (bytes.readUInt16LE(2) !== 0)
    throw new Error("The signing key has a password. Write one without it: minisign -R -W -s <file>.");
  return { id: bytes.subarray(54, 62), seed: bytes.subarray(62, 94) };
}

export function verifyingKeyOf({ id, seed }: SigningKey): VerifyingKey {
  const spki = createPublicKey(privateKeyOf(seed)).export({ format: "der", type: "spki" });
  return { id, point: spki.subarray(-32) };
}

/** The file `minisign.pub`. */
export function verifyingKeyFile({ id, point }: VerifyingKey): string {
  const key = Buffer.concat([Buffer.from("Ed"), id, point]).toString("base64");
  return `untrusted comment: minisign public key ${nameOf(id)}\n${key}\n`;
}

export function readVerifyingKey(file: string): VerifyingKey {
  const bytes = Buffer.from(file.trim().split("\n").at(-1) ?? "", "base64");
  if (bytes.length !== 42 || bytes.toString("latin1", 0, 2) !== "Ed")
    throw new Error("The public key is not one of minisign.");
  return { id: bytes.subarray(2, 10), point: bytes.subarray(10) };
}

/** The signature of a file, as in `<file>.minisig`. `comment` is signed too. */
export function signFile(content: Buffer, comment: string, { id, seed }: SigningKey): string {
  const key = privateKeyOf(seed);
  const signature = sign(null, blake2b(content), key);
  const withComment = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  return [
    `untrusted comment: signature of key ${nameOf(id)}`,
    Buffer.concat([Buffer.from(PREHASHED), id, signature]).toString("base64"),
    `trusted comment: ${comment}`,
    `${withComment.toString("base64")}\n`,
  ].join("\n");
}

/** Throws with what does not fit. */
export function verifyFile(content: Buffer, signatureFile: string, { id, point }: VerifyingKey): void {
  const [, first = "", trusted = "", second = ""] = signatureFile.split("\n");
  const bytes = Buffer.from(first, "base64");
  const key = createPublicKey({ key: Buffer.concat([ED25519_SPKI, point]), format: "der", type: "spki" });
  if (bytes.length !== 74 || bytes.toString("latin1", 0, 2) !== PREHASHED)
    throw new Error("The signature is not one of minisign.");
  if (!bytes.subarray(2, 10).equals(id)) throw new Error("The signature is of another key.");
  const signature = bytes.subarray(10);
  if (!verify(null, blake2b(content), key, signature)) throw new Error("The signature is of another file.");
  const comment = Buffer.from(trusted.replace(/^trusted comment: /, ""));
  if (!verify(null, Buffer.concat([signature, comment]), key, Buffer.from(second, "base64")))
    throw new Error("The comment of the signature was changed.");
}

const blake2b = (content: Buffer) => createHash("blake2b512").update(content).digest();
const privateKeyOf = (seed: Buffer) =>
  createPrivateKey({ key: Buffer.concat([ED25519_PKCS8, seed]), format: "der", type: "pkcs8" });
/** As minisign writes it: a number, little endian. */
const nameOf = (id: Buffer) => Buffer.from(id).reverse().toString("hex").toUpperCase();
