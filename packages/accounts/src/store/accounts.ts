import type { Registrar, Role } from "@gatehouse/auth";

/** An account. Times are Unix seconds. */
export type Account = {
  id: string;
  /** As `normaliseEmail` returns it. */
  email: string;
  name: string;
  role: Role;
  createdAt: number;
  disabledAt: number | null;
  registeredBy: Registrar | null;
  emailVerifiedAt: number | null;
  passwordSetAt: number | null;
  /** Whether the next sign-in with the password has to choose a new one. PW-04, UM-03. */
  mustChangePassword: boolean;
  /** Copied to sessions and grants; raising it ends the earlier ones. */
  accessEpoch: number;
  /** Copied to pending sign-ins, remembered browsers and mailed tokens; raising it ends the earlier ones. */
  signInEpoch: number;
  /** BCP 47 tag of the chosen language. */
  locale: string | null;
  /** The user handle of the person's passkeys, base64url. */
  webauthnUserId: string | null;
  /** When the account is deleted, because its user asked for it. Until then only restoring it is allowed. RG-10. */
  deleteAfter: number | null;
  externalId: string | null;
};

export type AccountWithHash = Account & { passwordHash: string | null };

/** An account to insert. What is left out is null, or its default. */
export type NewAccount = Pick<Account, "id" | "email" | "name" | "role" | "createdAt" | "registeredBy"> &
  Partial<
    Pick<Account, "emailVerifiedAt" | "locale" | "externalId" | "mustChangePassword" | "passwordSetAt" | "disabledAt">
  > & {
    passwordHash: string | null;
  };

/**
 * Whether an operator made the account, or its address was proved. Somebody else may control any other: it was made on
 * the sign-up page. RG-06.
 */
export function hasVerifiedOwner({
  registeredBy,
  emailVerifiedAt,
}: Pick<Account, "registeredBy" | "emailVerifiedAt">): boolean {
  return registeredBy === "operator" || emailVerifiedAt !== null;
}

export type AccountQueries = {
  findAccount(id: string): Promise<Account | undefined>;
  /** `email` as `normaliseEmail` returns it. */
  findAccountByEmail(email: string): Promise<AccountWithHash | undefined>;
  findAccountByExternalId(externalId: string): Promise<Account | undefined>;
};
