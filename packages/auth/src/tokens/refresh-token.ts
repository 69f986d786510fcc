import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { type Seal, type SealKey, sealUnder } from "../crypto/seal.ts";
import {
  fromSortable,
  type Hash,
  type MintedSecret,
  PREFIX,
  type Random,
  sha256,
  timeOrderedSecret,
  toSortable,
} from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import type { FoundRefreshFamily, RefreshFamily } from "../store/refresh-families.ts";

// docs/decisions/0031-one-row-for-each-refresh-family.md says why a token looks like this, and what each part protects.

/**
 * A presented refresh token: `grt_` · id of its family · generation · secret · MAC, in `[A-Za-z0-9_-]`. Nothing of it
 * is to be trusted before {@link findRefreshToken} has found its state.
 */
export type PresentedToken = { text: string; hash: Hash; familyId: string; generation: number };

/** What a token is of its family: the one to use, the one that was spent last, or one that was spent before. */
export type TokenState = "current" | "previous" | "older";

/** What a refresh requests: scope and resource of the access token, and the key to bind it to. */
export type Asked = { scope: string; resource: string; dpopJkt: string | undefined };

const [GENERATION_CHARACTERS, SECRET_CHARACTERS, MAC_CHARACTERS] = [6, 43, 22];
const TAIL_CHARACTERS = GENERATION_CHARACTERS + SECRET_CHARACTERS + MAC_CHARACTERS;
const [SECRET_BYTES, MAC_BYTES] = [32, 16];
const RESPONSE = "refresh response";
const FORM = /^grt_[\w-]{72,135}$/; // an id has 1 to 64 characters

/** Reads a refresh token; undefined for what can be none. */
function readRefreshToken(text: string): PresentedToken | undefined {
  if (!FORM.test(text)) return undefined;
  const familyId = text.slice(PREFIX.refreshToken.length, -TAIL_CHARACTERS);
  const generation = fromSortable(text.slice(-TAIL_CHARACTERS, GENERATION_CHARACTERS - TAIL_CHARACTERS));
  return { text, hash: sha256(text), familyId, generation };
}

/** A refresh token that was issued, with its family. */
export type FoundToken = { token: PresentedToken; family: FoundRefreshFamily; state: TokenState };

/**
 * Finds a presented token; undefined for one that was never issued, or whose grant is gone. One lookup, by the family.
 */
export async function findRefreshToken(
  text: string,
  { store, seal }: Pick<Deps, "store" | "seal">,
): Promise<FoundToken | undefined> {
  const token = readRefreshToken(text);
  const family = token && (await store.findRefreshFamily(token.familyId));
  const state = family && stateOf(token, family, seal);
  return state && { token, family, state };
}

/**
 * The state of a token in the family that it names; undefined for one that was never issued, which must have no effect.
 * RT-03.
 */
function stateOf({ text, hash }: PresentedToken, family: RefreshFamily, seal: Seal): TokenState | undefined {
  if (isSame(hash, family.currentHash)) return "current";
  if (family.previousHash !== null && isSame(hash, family.previousHash)) return "previous";
  const [body, mac] = [text.slice(0, -MAC_CHARACTERS), text.slice(-MAC_CHARACTERS)];
  return keysOf(seal).some((keys) => isSame(macOf(body, keys), mac)) ? "older" : undefined;
}

/** The first token of a family, with 256 random bits. SE-05. */
export function firstRefreshToken(familyId: string, { random, seal }: { random: Random; seal: Seal }): MintedSecret {
  return tokenOf(familyId, 0, random(SECRET_BYTES), currentKeys(seal));
}

/**
 * What a rotation derives. The same token, id of the rotation and request lead to the same result, so a lost response
 * can be repeated.
 */
export type Successor = {
  rotationId: string;
  refreshToken: MintedSecret;
  accessToken: MintedSecret;
  /** Seals a response that cannot be derived. Only the same token and request open it. */
  seal(response: string, random: Random): string;
  open(sealed: string, random: Random): string | undefined;
};

/** Derives the successor of a token, and the access token that is issued with it. CF-20. */
export function successorOf(presented: PresentedToken, rotationId: string, asked: Asked, seal: Seal): Successor {
  return successorUnder(currentKeys(seal), presented, rotationId, asked);
}

/**
 * Derives the successor that a rotation led to; undefined if another token or request did. The process that rotated may
 * have had another secret as its current one. OP-15.
 */
export function findSuccessor(
  presented: PresentedToken,
  { rotationId, successorHash }: { rotationId: string; successorHash: Hash },
  asked: Asked,
  seal: Seal,
): Successor | undefined {
  return keysOf(seal)
    .map((keys) => successorUnder(keys, presented, rotationId, asked))
    .find(({ refreshToken }) => refreshToken.hash === successorHash);
}

function successorUnder(keys: Keys, presented: PresentedToken, rotationId: string, asked: Asked): Successor {
  const { text, familyId, generation } = presented;
  const origin = JSON.stringify([text, rotationId, asked.scope, asked.resource, asked.dpopJkt ?? null]);
  const bits = createHmac("sha512", keys.successor).update(origin).digest();
  const responses = (random: Random) => sealUnder(createHmac("sha256", keys.response).update(origin).digest(), random);
  return {
    rotationId,
    refreshToken: tokenOf(familyId, generation + 1, bits.subarray(0, SECRET_BYTES), keys),
    accessToken: timeOrderedSecret("accessToken", rotationId, bits.subarray(SECRET_BYTES)),
    seal: (response, random) => responses(random).seal(RESPONSE, response),
    open: (sealed, random) => responses(random).open(RESPONSE, sealed),
  };
}

function tokenOf(familyId: string, generation: number, bits: Uint8Array, keys: Keys): MintedSecret {
  const secret = Buffer.from(bits).toString("base64url");
  const body = PREFIX.refreshToken + familyId + toSortable(generation, GENERATION_CHARACTERS) + secret;
  const text = body + macOf(body, keys);
  return { secret: text, hash: sha256(text) };
}

function macOf(body: string, { mac }: Pick<Keys, "mac">): string {
  return createHmac("sha256", mac).update(body).digest().toString("base64url", 0, MAC_BYTES);
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

type Keys = { mac: KeyObject; successor: KeyObject; response: KeyObject };
type EveryKeys = readonly [current: Keys, ...previous: Keys[]];
const known = new WeakMap<Seal, EveryKeys>();

const currentKeys = (seal: Seal): Keys => keysOf(seal)[0];

/** The keys of an installation, derived once: those of the current secret, then those of the previous ones. */
function keysOf(seal: Seal): EveryKeys {
  const found = known.get(seal);
  if (found) return found;
  const [current, ...previous] = seal.keys;
  const every: EveryKeys = [derived(current), ...previous.map(derived)];
  known.set(seal, every);
  return every;
}

function derived({ derive }: SealKey): Keys {
  const key = (purpose: string) => createSecretKey(derive(`refresh token ${purpose} v1`));
  return { mac: key("mac"), successor: key("successor"), response: key("response") };
}
