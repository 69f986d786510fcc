import type { Refusal } from "../errors/refusal.ts";

/** The failure ledger. */
export type RefusalStore = {
  /** Records why a request was refused. The store bounds the number of rows and never throws for being full. Rejects if it cannot write. */
  recordRefusal(refusal: Refusal): Promise<void>;
};
