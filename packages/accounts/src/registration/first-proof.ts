import type { Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { accountEvent } from "../events/account-event.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";
import { type AccountRequest, sourceOf } from "./account-request.ts";

/** How the address was proved. */
export type ProvedBy = "verification" | "reset" | "email_code" | "upstream" | "invitation";

type Proof = {
  by: ProvedBy;
  /** Whether the person also proved that the account is theirs: with its session or its password. */
  holdsAccount: boolean;
  /** A mailed token to spend in the same transaction; omit it if the caller spends its own. */
  token?: Hash | undefined;
  /** A new password, set in the same transaction. */
  passwordHash?: string | undefined;
};

type ProofDeps = Pick<AccountDeps, "people" | "now" | "random">;

/**
 * First proof wins. Call it whenever somebody proves that they receive mail at an account's address, before anything
 * else that relies on the proof. Marks the address as verified. If the account has no verified owner and the person
 * does not hold it, somebody else may have registered it: then everything that was in it is removed first (RG-05), so
 * that the account has neither password nor factor afterwards. For an address that is verified already it only spends
 * the token. `applied` is false if the proof came too late, or the token was spent: read the account again.
 */
export async function proveAddress(
  account: Account,
  { by, holdsAccount, token, passwordHash }: Proof,
  request: AccountRequest,
  deps: ProofDeps,
): Promise<{ emptied: boolean; applied: boolean }> {
  if (account.emailVerifiedAt !== null) {
    const applied = token === undefined || (await deps.people.spendMailedToken(token, deps.now()));
    return { emptied: false, applied };
  }
  const empties = !holdsAccount && !hasVerifiedOwner(account);
  const event = (kind: "email_verified" | "account_claimed") =>
    accountEvent(kind, { userId: account.id, source: sourceOf(request), detail: { by } }, deps);
  const events = [...(empties ? [event("account_claimed")] : []), event("email_verified")];

  const proof = { userId: account.id, email: account.email, empties, token, passwordHash };
  const proved = await deps.people.proveAddress(proof, { events }, deps.now());
  return { emptied: proved && empties, applied: proved };
}
