import { type Config, type Hash, mintSecret, type Random, type Seal, sha256 } from "@gatehouse/auth";
import type { MailedToken, MailedTokenPurpose, NewMailedToken } from "../store/mailed-tokens.ts";

/** How long mailed tokens live, in seconds. */
export const MAILED_TOKEN_SECONDS = {
  /** A code to type, and the button beside it. */
  code: 10 * 60,
  reset: 30 * 60,
  verification: 24 * 3600,
  undo: 72 * 3600,
} as const;

/** After as many tries at its code, a mail is worth its link alone. ML-03. */
export const MAILED_CODE_TRIES = 5;

export type MailedTokenDraft = {
  purpose: MailedTokenPurpose;
  userId: string | null;
  email: string;
  lifetimeSeconds: number;
  /** Whether it has a code of eight digits as well. */
  withCode?: boolean;
  /** The hash of the asking browser's cookie; the code then works there alone. */
  browser?: Hash | null;
  /** Anything that has to wait for the proof; must be JSON. */
  data?: unknown;
  signInEpoch?: number | null;
};

/** `secret` goes into the link and `code` into the text of the mail. Neither is stored. */
export type MintedMailedToken = { row: NewMailedToken; secret: string; code: string };

type MintDeps = { now: () => number; random: Random; seal: Seal };

/** Makes a mailed token: 256 bits for the link, eight digits for the code. Save `row` with `saveMailedToken`. */
export function mintMailedToken(draft: MailedTokenDraft, deps: MintDeps): MintedMailedToken {
  const { secret, hash } = mintSecret("mailedToken", deps.random);
  const code = eightDigits(deps.random);
  const now = deps.now();
  const row: NewMailedToken = {
    hash,
    purpose: draft.purpose,
    userId: draft.userId,
    email: draft.email,
    codeHash: draft.withCode ? hashOfCode(hash, code) : null,
    browser: draft.browser ?? null,
    data:
      draft.data === undefined
        ? null
        : deps.seal.seal(mailedDataPurpose({ hash, ...draft }), JSON.stringify(draft.data)),
    signInEpoch: draft.signInEpoch ?? null,
    createdAt: now,
    expiresAt: now + draft.lifetimeSeconds,
  };
  return { row, secret, code };
}

/** What waited for the proof, as it was given to {@link mintMailedToken}; undefined if there is none. */
export function mailedTokenData(
  token: Pick<MailedToken, "hash" | "purpose" | "data">,
  { seal }: { seal: Seal },
): unknown {
  const opened = token.data === null ? undefined : seal.open(mailedDataPurpose(token), token.data);
  return opened === undefined ? undefined : JSON.parse(opened); // sealed by this server
}

/** The URL of a mailed link. It comes from the issuer, never from a request. FP-06. */
export function mailedLink(path: `/${string}`, secret: string, { issuer }: Pick<Config, "issuer">): string {
  return `${issuer}${path}?${new URLSearchParams({ token: secret })}`;
}

/** Bound to its token: the same code of another mail has another hash. */
export function hashOfCode(token: Hash, code: string): Hash {
  return sha256(`${token}:${code}`);
}

/** What the data of a mailed token is sealed for. */
export const mailedDataPurpose = ({ purpose, hash }: { purpose: MailedTokenPurpose; hash: Hash }) =>
  `mailed token ${purpose} ${hash}`;

const CODES = 10 ** 8;
const LARGEST_MULTIPLE = Math.floor(2 ** 32 / CODES) * CODES;

/** Uniform: draws again above the largest multiple of 10⁸. */
function eightDigits(random: Random): string {
  for (;;) {
    const drawn = Buffer.from(random(4)).readUInt32BE();
    if (drawn < LARGEST_MULTIPLE) return String(drawn % CODES).padStart(8, "0");
  }
}
