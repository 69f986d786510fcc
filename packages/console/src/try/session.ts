import type { Caller, Deps } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import type { Actor } from "../permissions.ts";
import type { ProofKey } from "./proof.ts";

/** A request of a run. */
export type Call = {
  title: string;
  why: string;
  section: string;
  endpoint: (request: Request, deps: Deps, caller: Caller) => Promise<Response>;
  path: string;
  /** Undefined for a GET with `bearer`. */
  form?: Record<string, string>;
  bearer?: string;
  /** The status that shows the server is right. */
  expected: readonly number[];
};

/** What the calls of a run share. */
export type Session = {
  clientId: string;
  confidential: boolean;
  /** The secret that the operator pasted. It is in no trace, not even with `reveal`. */
  secret: string | undefined;
  /** Shows codes and tokens as they are. */
  reveal: boolean;
  /**
   * Proves that the client holds the key which its tokens are bound to; undefined for a client that does not require
   * DPoP.
   */
  proofKey: ProofKey | undefined;
  caller: Caller;
  author: Actor;
  deps: OperationDeps;
  /** The protocol's dependencies under the exemption of the run, and so without statistics. */
  protocol: Deps;
};
