import { type JwtClaims, type PublicJwk, readJwt } from "@gatehouse/guard";
import { type CryptoKey, calculateJwkThumbprint, errors, exportJWK, generateKeyPair, importJWK, jwtVerify } from "jose";
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "../clients/options.ts";
import type { Deps } from "../deps.ts";
import type { SigningKey, SigningKeyStore } from "../store/signing-keys.ts";
import { importRegisteredJwk, signCompact } from "./jwt.ts";

type KeyDeps = Pick<Deps, "now" | "seal"> & { store: SigningKeyStore };

/** Lifetimes of a signing key, in seconds. */
export const KEY_LIFETIME = {
  /** A key signs for this long. */
  rotationSeconds: 90 * 86_400,
  /** Published this long before it signs: longer than caches keep the JWKS. */
  publishedAheadSeconds: 86_400,
  /**
   * Published this long after it last signed: the lifetime of a session, so that ID tokens stay valid as hints. MD-07.
   */
  publishedAfterSeconds: 30 * 86_400,
  /** Keys are reloaded after this long, to learn of rotations by other processes. */
  reloadSeconds: 60,
  /** An unknown kid triggers an earlier reload, at most this often. */
  unknownKidSeconds: 5,
} as const;

/** What the private part of a key is sealed for. */
export const SIGNING_KEY_PURPOSE = "signing key";

/**
 * Saves a new key and, in the same transaction, withdraws others: they leave the JWKS now. False if another process was
 * first.
 */
export type SaveKey = (key: SigningKey, withdrawn: readonly string[]) => Promise<boolean>;

const saveIn =
  ({ store }: Pick<KeyDeps, "store">): SaveKey =>
  (key, withdrawn) =>
    store.saveSigningKey(key, withdrawn);

type LoadedKey = SigningKey & { publicKey: CryptoKey | undefined; privateKey: CryptoKey | undefined };
type KeyRing = { loadedAt: number; keys: readonly LoadedKey[]; published: PublicJwk[] };

/** Cached per store. Holds the promise, so that concurrent callers share one read. */
const rings = new WeakMap<SigningKeyStore, { loadedAt: number; ring: Promise<KeyRing> }>();

/** Signs claims with the current key of the algorithm; generates the first one. */
export async function signJwt(
  { typ, claims, algorithm }: { typ: string; claims: JwtClaims; algorithm: SigningAlgorithm },
  deps: KeyDeps,
): Promise<string> {
  let signer = currentKey(await ringOf(deps), algorithm, deps.now());
  if (!signer) {
    await ensureKeys([algorithm], deps);
    signer = currentKey(await ringOf(deps), algorithm, deps.now());
  }
  if (!signer?.privateKey) throw new Error(`there is no ${algorithm} key to sign with`);
  return signCompact({ typ, kid: signer.kid, algorithm, claims }, signer.privateKey);
}

/** What a JWT must be. */
export type JwtDemand = {
  typ: string;
  algorithms: readonly SigningAlgorithm[];
  issuer: string;
  /** Must be among the audiences; omitted where the caller checks it. */
  audience?: string;
  /** Accepts expired tokens: an ID token hint may be expired. OpenID Connect RP-Initiated Logout §2. */
  allowExpired?: boolean;
};

/**
 * Verifies a JWT that we signed. Returns its claims; undefined when any check fails. Uses only our own keys, found by
 * `kid`: never a key in the header, `none` or a MAC. RFC 8725, JT-02.
 */
export async function verifyJwt(token: string, demand: JwtDemand, deps: KeyDeps): Promise<JwtClaims | undefined> {
  const kid = readJwt(token)?.header.kid;
  const key = kid === undefined ? undefined : await findKey(kid, deps);
  if (!key?.publicKey || !demand.algorithms.includes(key.algorithm)) return undefined;
  const { typ, issuer, audience, allowExpired } = demand;
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      typ,
      algorithms: [key.algorithm],
      issuer,
      ...(audience !== undefined && { audience }),
      requiredClaims: ["exp"],
      currentDate: new Date(deps.now() * 1000),
    });
    return payload;
  } catch (error) {
    // jose checks expiry last, so everything else is valid.
    if (error instanceof errors.JWTExpired && allowExpired) return error.payload;
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The published public keys: next, current and previous ones, each with `kid`, `alg` and `use`. RFC 7517, MD-07. */
export async function publicKeys(deps: KeyDeps): Promise<PublicJwk[]> {
  return (await ringOf(deps)).published;
}

/** Active keys whose private key cannot be unsealed under the current secret: they verify but cannot sign. */
export async function unreadableKeys(deps: Pick<KeyDeps, "store" | "seal">): Promise<SigningKey[]> {
  return (await deps.store.listSigningKeys()).filter(
    (key) => key.retiredAt === null && openPrivateJwk(key, deps) === undefined,
  );
}

/** Generates a key for each algorithm that has none. Concurrent processes agree on one key. */
export async function ensureKeys(algorithms: readonly SigningAlgorithm[], deps: KeyDeps): Promise<void> {
  const now = deps.now();
  const ring = await load(deps);
  const missing = algorithms.filter((algorithm) => !currentKey(ring, algorithm, now));
  for (const algorithm of missing) {
    // The first key has the same `activeFrom` in every process, so that the store accepts only one.
    const first = !ring.keys.some((key) => key.algorithm === algorithm);
    await deps.store.saveSigningKey(await generateKey(algorithm, first ? 0 : now, deps));
  }
  if (missing.length > 0) await load(deps);
}

/**
 * Starts a rotation: publishes the next key now; it signs a day later, when every cached JWKS has it. `atOnce` skips
 * the day. Returns the next key; one that is already published stays the next.
 */
export async function rotateKey(
  algorithm: SigningAlgorithm,
  atOnce: boolean,
  deps: KeyDeps,
  save: SaveKey = saveIn(deps),
): Promise<SigningKey> {
  const now = deps.now();
  const { keys } = await load(deps);
  const next = keys.find((key) => key.algorithm === algorithm && key.activeFrom > now);
  if (next && !atOnce) return next;
  const generated = await generateKey(algorithm, atOnce ? now : nextActivation(now), deps);
  await save(generated, []);
  await retireReplaced(deps);
  const { keys: after } = await load(deps);
  return after.find((key) => key.algorithm === algorithm && key.activeFrom === generated.activeFrom) ?? generated;
}

/** Generates, rotates and retires keys that are due. Idempotent; safe to run in several processes. */
export async function maintainKeys(deps: KeyDeps): Promise<void> {
  await ensureKeys(SIGNING_ALGORITHMS, deps);
  const now = deps.now();
  const ring = await load(deps);
  for (const algorithm of SIGNING_ALGORITHMS) {
    const current = currentKey(ring, algorithm, now);
    const signingSince = current && Math.max(current.activeFrom, current.createdAt);
    const due =
      signingSince !== undefined &&
      now >= signingSince + KEY_LIFETIME.rotationSeconds - KEY_LIFETIME.publishedAheadSeconds;
    if (due) await rotateKey(algorithm, false, deps);
  }
  await retireReplaced(deps);
}

/**
 * A full hour at least a day ahead, so that concurrent processes choose the same time and the store accepts one key.
 */
function nextActivation(now: number): number {
  return Math.ceil((now + KEY_LIFETIME.publishedAheadSeconds) / 3600) * 3600;
}

/**
 * Replaces a compromised key: a new key signs from now on, and all others of the algorithm leave the JWKS at once,
 * which invalidates everything they signed. Returns the new key. A store has one key for each second, so after another
 * rotation in this second the new key gets an earlier one.
 */
export async function replaceKey(
  algorithm: SigningAlgorithm,
  deps: KeyDeps,
  save: SaveKey = saveIn(deps),
): Promise<SigningKey> {
  for (let earlier = 0; earlier < REPLACING_ATTEMPTS; earlier++) {
    const { keys } = await load(deps);
    const next = await generateKey(algorithm, deps.now() - earlier, deps);
    const withdrawn = keys.filter((key) => key.algorithm === algorithm).map(({ kid }) => kid);
    if (!(await save(next, withdrawn))) continue;
    await load(deps);
    return next;
  }
  throw new Error(`${REPLACING_ATTEMPTS} other keys were generated in these seconds; try again`);
}

const REPLACING_ATTEMPTS = 10;

/** Retires keys that another has replaced, and sets when they leave the JWKS. */
async function retireReplaced(deps: KeyDeps): Promise<void> {
  const now = deps.now();
  const ring = await load(deps);
  const replaced = ring.keys.filter(
    (key) => key.retiredAt === null && key.activeFrom <= now && currentKey(ring, key.algorithm, now)?.kid !== key.kid,
  );
  for (const { kid } of replaced) {
    await deps.store.retireSigningKey(kid, { retiredAt: now, removeAfter: now + KEY_LIFETIME.publishedAfterSeconds });
  }
  if (replaced.length > 0) await load(deps);
}

/** The most recent key that may sign now. */
function currentKey({ keys }: KeyRing, algorithm: SigningAlgorithm, now: number): LoadedKey | undefined {
  const usable = keys.filter(
    (key) => key.algorithm === algorithm && key.privateKey && key.retiredAt === null && key.activeFrom <= now,
  );
  return usable.reduce<LoadedKey | undefined>(
    (latest, key) => (latest && latest.activeFrom >= key.activeFrom ? latest : key),
    undefined,
  );
}

async function findKey(kid: string, deps: KeyDeps): Promise<LoadedKey | undefined> {
  const ring = await ringOf(deps);
  const found = ring.keys.find((key) => key.kid === kid);
  if (found || deps.now() - ring.loadedAt < KEY_LIFETIME.unknownKidSeconds) return found;
  return (await load(deps)).keys.find((key) => key.kid === kid);
}

function ringOf(deps: KeyDeps): Promise<KeyRing> {
  const known = rings.get(deps.store);
  const age = known && deps.now() - known.loadedAt;
  return known && age !== undefined && age >= 0 && age < KEY_LIFETIME.reloadSeconds ? known.ring : load(deps);
}

function load(deps: KeyDeps): Promise<KeyRing> {
  const loadedAt = deps.now();
  const ring = readRing(loadedAt, deps);
  rings.set(deps.store, { loadedAt, ring });
  ring.catch(() => rings.delete(deps.store)); // retry after a failure
  return ring;
}

async function readRing(loadedAt: number, deps: KeyDeps): Promise<KeyRing> {
  const stored = (await deps.store.listSigningKeys()).filter(
    ({ removeAfter }) => removeAfter === null || removeAfter > loadedAt,
  );
  const keys = await Promise.all(stored.map((key) => loadKey(key, deps)));
  return { loadedAt, keys, published: keys.map(({ publicJwk }) => publicJwk) };
}

async function loadKey(key: SigningKey, deps: Pick<Deps, "seal">): Promise<LoadedKey> {
  const imported = await importRegisteredJwk(key.publicJwk, key.algorithm);
  return { ...key, publicKey: imported?.key, privateKey: await importPrivateKey(key, deps) };
}

/** Undefined when it was sealed under another secret: such a key still verifies, but no longer signs. */
async function importPrivateKey(key: SigningKey, deps: Pick<Deps, "seal">): Promise<CryptoKey | undefined> {
  const jwk = openPrivateJwk(key, deps);
  const privateKey = jwk === undefined ? undefined : await importJWK(JSON.parse(jwk), key.algorithm);
  return privateKey instanceof Uint8Array ? undefined : privateKey;
}

function openPrivateJwk({ sealedPrivateJwk }: SigningKey, { seal }: Pick<Deps, "seal">): string | undefined {
  return seal.open(SIGNING_KEY_PURPOSE, sealedPrivateJwk);
}

/** The one place that does not take randomness as an argument: WebCrypto generates key pairs from its own source. */
async function generateKey(algorithm: SigningAlgorithm, activeFrom: number, deps: KeyDeps): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true });
  const { kty = "", ...members } = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicKey);
  return {
    kid,
    algorithm,
    publicJwk: { kty, ...members, kid, alg: algorithm, use: "sig" },
    sealedPrivateJwk: deps.seal.seal(SIGNING_KEY_PURPOSE, JSON.stringify(await exportJWK(privateKey))),
    createdAt: deps.now(),
    activeFrom,
    retiredAt: null,
    removeAfter: null,
  };
}
