import { type CryptoKey, calculateJwkThumbprint, errors, exportJWK, generateKeyPair, importJWK, jwtVerify } from "jose";
import { type PublicJwk, SIGNING_ALGORITHMS, type SigningAlgorithm } from "../clients/options.ts";
import type { Deps } from "../deps.ts";
import type { SigningKey, SigningKeyStore } from "../store/signing-keys.ts";
import { importPublicJwk, type JwtClaims, readJwt, signCompact } from "./jwt.ts";

type KeyDeps = Pick<Deps, "now" | "seal"> & { store: SigningKeyStore };

/** Life of a signing key, in seconds. */
export const KEY_LIFETIME = {
  /** After so long, the next key takes over. */
  rotationSeconds: 90 * 86_400,
  /** Published this long before it signs: longer than any cache of the JWKS lives. */
  publishedAheadSeconds: 86_400,
  /** Published this long after it last signed: a session's whole life, so that an id token stays good as a hint. MD-07. */
  publishedAfterSeconds: 30 * 86_400,
  /** The keys are read again after so long, so that what another process rotated is known here. */
  reloadSeconds: 60,
  /** A kid we do not know makes us look sooner, but no more often than this. */
  unknownKidSeconds: 5,
} as const;

const PURPOSE = "signing key";

type LoadedKey = SigningKey & { publicKey: CryptoKey | undefined; privateKey: CryptoKey | undefined };
type Ring = { loadedAt: number; keys: readonly LoadedKey[]; published: PublicJwk[] };

/** One ring for each store of this process; the promise, so that callers at once read it once. */
const rings = new WeakMap<SigningKeyStore, { loadedAt: number; ring: Promise<Ring> }>();

/** Signs claims with the current key of the algorithm, which is made when there is none yet. */
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

export type JwtDemand = {
  typ: string;
  algorithms: readonly SigningAlgorithm[];
  issuer: string;
  /** Has to be among the token's audiences; left out where the caller judges that itself. */
  audience?: string;
  /** For id tokens as hints, which may be long expired. OpenID Connect RP-Initiated Logout §2. */
  expiredToo?: boolean;
};

/**
 * The claims of a JWT that we signed ourselves, with everything demanded of it; undefined for any other. Only our own keys
 * count, found by `kid`: no key from the header, no `none`, no MAC. RFC 8725, JT-02.
 */
export async function verifyJwt(token: string, demand: JwtDemand, deps: KeyDeps): Promise<JwtClaims | undefined> {
  const kid = readJwt(token)?.header.kid;
  const key = kid === undefined ? undefined : await findKey(kid, deps);
  if (!key?.publicKey || !demand.algorithms.includes(key.algorithm)) return undefined;
  const { typ, issuer, audience, expiredToo } = demand;
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
    // Expiry is checked last, so nothing else is wrong with it.
    if (error instanceof errors.JWTExpired && expiredToo) return error.payload;
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The public keys as published: what signs, what will and what did, each with `kid`, `alg` and `use`. RFC 7517, MD-07. */
export async function publicKeys(deps: KeyDeps): Promise<PublicJwk[]> {
  return (await ringOf(deps)).published;
}

/** The keys in use whose private part does not open under the secret in force: they verify, but sign nothing. */
export async function unreadableKeys(deps: Pick<KeyDeps, "store" | "seal">): Promise<SigningKey[]> {
  return (await deps.store.listSigningKeys()).filter((key) => key.retiredAt === null && openPrivateJwk(key, deps) === undefined);
}

/** Makes the first key of each algorithm that has none. Of several processes at once, one key remains. */
export async function ensureKeys(algorithms: readonly SigningAlgorithm[], deps: KeyDeps): Promise<void> {
  const now = deps.now();
  const ring = await load(deps);
  const missing = algorithms.filter((algorithm) => !currentKey(ring, algorithm, now));
  for (const algorithm of missing) {
    // The very first has the same instant in every process, so that the store takes one only.
    const first = !ring.keys.some((key) => key.algorithm === algorithm);
    await deps.store.saveSigningKey(await generateKey(algorithm, first ? 0 : now, deps));
  }
  if (missing.length > 0) await load(deps);
}

/**
 * Starts a rotation: the next key is published now and signs from a day later, when every cached JWKS has it; `atOnce` to
 * skip the day. Returns the key that takes over; one that is waiting already stays it.
 */
export async function rotateKey(algorithm: SigningAlgorithm, atOnce: boolean, deps: KeyDeps): Promise<SigningKey> {
  const now = deps.now();
  const { keys } = await load(deps);
  const waiting = keys.find((key) => key.algorithm === algorithm && key.activeFrom > now);
  if (waiting && !atOnce) return waiting;
  const next = await generateKey(algorithm, atOnce ? now : takeover(now), deps);
  await deps.store.saveSigningKey(next);
  await retireReplaced(deps);
  const { keys: after } = await load(deps);
  return after.find((key) => key.algorithm === algorithm && key.activeFrom === next.activeFrom) ?? next;
}

/** What is due, safe to run at any time and in several processes: first keys, next keys, and the end of the replaced ones. */
export async function maintainKeys(deps: KeyDeps): Promise<void> {
  await ensureKeys(SIGNING_ALGORITHMS, deps);
  const now = deps.now();
  const ring = await load(deps);
  for (const algorithm of SIGNING_ALGORITHMS) {
    const current = currentKey(ring, algorithm, now);
    const signedSince = current && Math.max(current.activeFrom, current.createdAt);
    const due = signedSince !== undefined && now >= signedSince + KEY_LIFETIME.rotationSeconds - KEY_LIFETIME.publishedAheadSeconds;
    if (due) await rotateKey(algorithm, false, deps);
  }
  await retireReplaced(deps);
}

/** A full hour at least a day ahead: processes that decide at about the same time mean the same instant, and the store takes one. */
function takeover(now: number): number {
  return Math.ceil((now + KEY_LIFETIME.publishedAheadSeconds) / 3600) * 3600;
}

/**
 * For a private key that others may know: a new one signs from now on, and every other of the algorithm leaves the published
 * set at once, so that nothing signed with it counts any more. Returns the new key.
 */
export async function replaceKey(algorithm: SigningAlgorithm, deps: KeyDeps): Promise<SigningKey> {
  const now = deps.now();
  const { keys } = await load(deps);
  const next = await generateKey(algorithm, now, deps);
  if (!(await deps.store.saveSigningKey(next))) throw new Error("another key was made in this very second; try again");
  for (const { kid } of keys.filter((key) => key.algorithm === algorithm)) {
    await deps.store.retireSigningKey(kid, { retiredAt: now, removeAfter: now });
  }
  await load(deps);
  return next;
}

/** Gives every key that another has taken over from the day of its removal. */
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

/** The latest that may sign already. */
function currentKey({ keys }: Ring, algorithm: SigningAlgorithm, now: number): LoadedKey | undefined {
  const able = keys.filter((key) => key.algorithm === algorithm && key.privateKey && key.retiredAt === null && key.activeFrom <= now);
  return able.reduce<LoadedKey | undefined>((best, key) => (best && best.activeFrom >= key.activeFrom ? best : key), undefined);
}

async function findKey(kid: string, deps: KeyDeps): Promise<LoadedKey | undefined> {
  const ring = await ringOf(deps);
  const found = ring.keys.find((key) => key.kid === kid);
  if (found || deps.now() - ring.loadedAt < KEY_LIFETIME.unknownKidSeconds) return found;
  return (await load(deps)).keys.find((key) => key.kid === kid);
}

function ringOf(deps: KeyDeps): Promise<Ring> {
  const known = rings.get(deps.store);
  const age = known && deps.now() - known.loadedAt;
  return known && age !== undefined && age >= 0 && age < KEY_LIFETIME.reloadSeconds ? known.ring : load(deps);
}

function load(deps: KeyDeps): Promise<Ring> {
  const loadedAt = deps.now();
  const ring = readRing(loadedAt, deps);
  rings.set(deps.store, { loadedAt, ring });
  ring.catch(() => rings.delete(deps.store)); // what failed once is read again
  return ring;
}

async function readRing(loadedAt: number, deps: KeyDeps): Promise<Ring> {
  const stored = (await deps.store.listSigningKeys()).filter(({ removeAfter }) => removeAfter === null || removeAfter > loadedAt);
  const keys = await Promise.all(stored.map((key) => loadKey(key, deps)));
  return { loadedAt, keys, published: keys.map(({ publicJwk }) => publicJwk) };
}

async function loadKey(key: SigningKey, deps: Pick<Deps, "seal">): Promise<LoadedKey> {
  const imported = await importPublicJwk(key.publicJwk, key.algorithm);
  return { ...key, publicKey: imported?.key, privateKey: await importPrivateKey(key, deps) };
}

/** Undefined when it was sealed under another secret: such a key still verifies, but no longer signs. */
async function importPrivateKey(key: SigningKey, deps: Pick<Deps, "seal">): Promise<CryptoKey | undefined> {
  const jwk = openPrivateJwk(key, deps);
  const privateKey = jwk === undefined ? undefined : await importJWK(JSON.parse(jwk), key.algorithm);
  return privateKey instanceof Uint8Array ? undefined : privateKey;
}

function openPrivateJwk({ sealedPrivateJwk }: SigningKey, { seal }: Pick<Deps, "seal">): string | undefined {
  return seal.open(PURPOSE, sealedPrivateJwk);
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
    sealedPrivateJwk: deps.seal.seal(PURPOSE, JSON.stringify(await exportJWK(privateKey))),
    createdAt: deps.now(),
    activeFrom,
    retiredAt: null,
    removeAfter: null,
  };
}
