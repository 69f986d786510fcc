import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { type Seal, sealUnder } from "../crypto/seal.ts";
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
  const body = text.slice(0, -MAC_CHARACTERS);
  return isSame(macOf(body, seal), text.slice(-MAC_CHARACTERS)) ? "older" : undefined;
}

/** The first token of a family, with 256 random bits. SE-05. */
export function firstRefreshToken(familyId: string, { random, seal }: { random: Random; seal: Seal }): MintedSecret {
  return tokenOf(familyId, 0, random(SECRET_BYTES), seal);
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
  const { text, familyId, generation } = presented;
  const origin = JSON.stringify([text, rotationId, asked.scope, asked.resource, asked.dpopJkt ?? null]);
  const bits = createHmac("sha512", keysOf(seal).successor).update(origin).digest();
  const responses = (random: Random) =>
    sealUnder(createHmac("sha256", keysOf(seal).response).update(origin).digest(), random);
  return {
    rotationId,
    refreshToken: tokenOf(familyId, generation + 1, bits.subarray(0, SECRET_BYTES), seal),
    accessToken: timeOrderedSecret("accessToken", rotationId, bits.subarray(SECRET_BYTES)),
    seal: (response, random) => responses(random).seal(RESPONSE, response),
    open: (sealed, random) => responses(random).open(RESPONSE, sealed),
  };
}

function tokenOf(familyId: string, generation: number, bits: Uint8Array, seal: Seal): MintedSecret {
  const secret = Buffer.from(bits).toString("base64url");
  const body = PREFIX.refreshToken + familyId + toSortable(generation, GENERATION_CHARACTERS) + secret;
  const text = body + macOf(body, seal);
  return { secret: text, hash: sha256(text) };
}

function macOf(body: string, seal: Seal): string {
  return createHmac("sha256", keysOf(seal).mac).update(body).digest().toString("base64url", 0, MAC_BYTES);
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

type Keys = { mac: KeyObject; successor: KeyObject; response: KeyObject };
const known = new WeakMap<Seal, Keys>();

/** The keys of an installation, derived once. */
function keysOf(seal: Seal): Keys {
  const found = known.get(seal);
  if (found) return found;
  const key = (purpose: string) => createSecretKey(seal.derive(`refresh token ${purpose} v1`));
  const keys = { mac: key("mac"), successor: key("successor"), response: key("response") };
  known.set(seal, keys);
  return keys;
}
