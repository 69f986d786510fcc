import type { Tokens } from "../../harness/flow.ts";

/** A family of refresh tokens as its client knows it. */
export type Chain = {
  clientId: "web" | "device";
  /** What was acknowledged last, and must work. */
  current: string;
  /** Acknowledged as replaced, the newest last: every one of them is spent. */
  replaced: string[];
  busy: boolean;
};

/**
 * What a server acknowledged, as its clients noted it. Whatever had another outcome is in no list: it may have happened
 * or not.
 */
export type Ledger = {
  /** Access tokens that must work. */
  live: string[];
  /** Access tokens whose revocation was acknowledged. */
  dead: string[];
  /** Authorization codes that were traded, with their verifiers. */
  spentCodes: { code: string; verifier: string }[];
  /** Device codes that were traded. */
  spentDeviceCodes: string[];
  chains: Chain[];
  /** Ids of webhook events. */
  events: string[];
  /** Cookies of sessions that must be signed in, and of those that were signed out. */
  sessions: string[];
  endedSessions: string[];
  /** What must never happen. */
  violations: string[];
};

export function newLedger(): Ledger {
  return {
    live: [],
    dead: [],
    spentCodes: [],
    spentDeviceCodes: [],
    chains: [],
    events: [],
    sessions: [],
    endedSessions: [],
    violations: [],
  };
}

/** The tokens of a response to `/token`. */
export function tokensIn(text: string): Partial<Tokens> {
  const { access_token, refresh_token } = JSON.parse(text) as { access_token?: string; refresh_token?: string };
  return {
    ...(access_token === undefined ? {} : { access: access_token }),
    ...(refresh_token === undefined ? {} : { refresh: refresh_token }),
  };
}
