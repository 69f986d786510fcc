import type { OAuthErrorCode } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";

/** A refused request: one row of the failure ledger. */
export type Refusal = {
  /** Short random id that the caller also got. D13. */
  errorId: string;
  /** Unix seconds. */
  at: number;
  /** The endpoint's path, e.g. "/token". */
  endpoint: string;
  error: OAuthErrorCode;
  cause: RefusalCause;
  /** Which check failed, for the console. */
  message: string;
  detail: RefusalDetail;
  clientId: string | null;
  address: string | null;
  /** The entry is found by its id, and counts nowhere. CO-42. */
  uncounted?: true;
};

/** The failure ledger. */
export type RefusalStore = {
  /**
   * Records why a request was refused. The store bounds the number of rows and never throws for being full. Rejects if
   * it cannot write.
   */
  recordRefusal(refusal: Refusal): Promise<void>;
};
