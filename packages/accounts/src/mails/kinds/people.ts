import type { Role } from "@gatehouse/auth";

/** What an administrator did to an account. Unix seconds. */
type AdminAct = { at: number };

/** Each kind with the data of its template, in packages/mail/src/templates/people.ts. */
export type PeopleMails = {
  role_changed: AdminAct & { role: Role };
  account_disabled: AdminAct;
  /** UM-05. */
  second_factors_reset: AdminAct;
  /** UM-03. */
  password_required: AdminAct;
  /** To the admin who tries whether mail arrives. CO-69. */
  test_mail: AdminAct;
  /** By the command line or `gatehouse apply`. `isFirst`: the account had none, and its sessions continue. */
  password_set: AdminAct & { isFirst?: boolean };
};
