import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

// A passkey provider in software, which can also do everything that a provider must not. WebAuthn L3 §6.

/** What the ceremony says; by default what a well-behaved browser and authenticator say. */
export type Behaviour = {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: unknown;
  topOrigin?: string;
  /** User presence and user verification. */
  up?: boolean;
  uv?: boolean;
  /** Backup eligibility and state. */
  be?: boolean;
  bs?: boolean;
  counter?: number;
  /** Undefined for the one that the passkey was made with, null for none. */
  userHandle?: string | null;
  /** Signs with another key. */
  forged?: boolean;
  credentialId?: string;
  aaguid?: string;
  algorithm?: number;
  attestation?: "none" | "packed";
};

type CreationOptions = { challenge: string; rp: { id?: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId?: string };

const UP = 1;
const UV = 4;
const BE = 8;
const BS = 16;
const AT = 64;

/** A new passkey, held in memory. `defaults` apply to its registration and every use. */
export function newAuthenticator(origin: string, defaults: Behaviour = {}) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const credentialId = randomBytes(32).toString("base64url");
  const held = { userHandle: "", counter: defaults.counter ?? 0 };
  const behaviour = (change: Behaviour) => ({
    up: true,
    uv: true,
    be: false,
    bs: false,
    credentialId,
    ...defaults,
    ...change,
  });

  return {
    credentialId,
    /** Answers `navigator.credentials.create()`, as the JSON that the script of the page posts. */
    create(options: CreationOptions, change: Behaviour = {}): string {
      const how = behaviour(change);
      held.userHandle = options.user.id;
      const attested = Buffer.concat([
        Buffer.from((how.aaguid ?? "00000000-0000-0000-0000-000000000000").replaceAll("-", ""), "hex"),
        uint16(Buffer.from(how.credentialId, "base64url").length),
        Buffer.from(how.credentialId, "base64url"),
        coseKey(publicKey, how.algorithm ?? -7),
      ]);
      const authData = authenticatorData(
        how.rpId ?? options.rp.id ?? new URL(origin).hostname,
        how,
        how.counter ?? held.counter,
        attested,
      );
      const clientDataJSON = clientData("webauthn.create", options.challenge, origin, how);
      const attestationObject = cbor(
        new Map<string, unknown>([
          ["fmt", how.attestation ?? "none"],
          [
            "attStmt",
            how.attestation === "packed"
              ? new Map<string, unknown>([
                  ["alg", -7],
                  ["sig", randomBytes(70)],
                ])
              : new Map(),
          ],
          ["authData", authData],
        ]),
      );
      return credential(how.credentialId, {
        clientDataJSON,
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      });
    },
    /** Answers `navigator.credentials.get()`. Counts only if its counter is not 0, as synced passkeys do. */
    get(options: RequestOptions, change: Behaviour = {}): string {
      const how = behaviour(change);
      if (held.counter > 0) held.counter += 1;
      const authData = authenticatorData(
        how.rpId ?? options.rpId ?? new URL(origin).hostname,
        how,
        change.counter ?? held.counter,
      );
      const clientDataJSON = clientData("webauthn.get", options.challenge, origin, how);
      const signed = Buffer.concat([
        authData,
        createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest(),
      ]);
      const key: KeyObject = how.forged ? generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey : privateKey;
      const userHandle = how.userHandle === undefined ? held.userHandle : how.userHandle;
      return credential(how.credentialId, {
        clientDataJSON,
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", signed, key).toString("base64url"),
        ...(userHandle !== null && { userHandle }),
      });
    },
  };
}

function credential(id: string, response: object): string {
  return JSON.stringify({
    id,
    rawId: id,
    type: "public-key",
    response,
    clientExtensionResults: {},
    authenticatorAttachment: "platform",
  });
}

function clientData(type: string, challenge: string, origin: string, how: Behaviour): string {
  const data = {
    type: how.type ?? type,
    challenge: how.challenge ?? challenge,
    origin: how.origin ?? origin,
    crossOrigin: how.crossOrigin ?? false,
    ...(how.topOrigin && { topOrigin: how.topOrigin }),
  };
  return Buffer.from(JSON.stringify(data)).toString("base64url");
}

function authenticatorData(rpId: string, how: Behaviour, counter: number, attested?: Buffer): Buffer {
  const flags = (how.up ? UP : 0) | (how.uv ? UV : 0) | (how.be ? BE : 0) | (how.bs ? BS : 0) | (attested ? AT : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([
    createHash("sha256").update(rpId).digest(),
    Buffer.from([flags]),
    count,
    attested ?? Buffer.alloc(0),
  ]);
}

/** RFC 9053 §7.1.1. */
function coseKey(key: KeyObject, algorithm: number): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]),
  );
}

/** The part of CBOR that passkeys use: integers, byte strings, text and maps. RFC 8949 §3. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
  throw new TypeError("not a value that passkeys use");
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.concat([Buffer.from([(major << 5) | 25]), uint16(length)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
