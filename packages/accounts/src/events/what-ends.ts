/** What a change of an account ends. */
export type Ends = {
  /** `others`: all but the session that the change was made in. */
  sessions: "all" | "others" | "none";
  /**
   * Every grant with its tokens, every API token, and invitations to a role. Otherwise only the grants that belong to
   * an ended session.
   */
  grants: boolean;
  /** Unfinished sign-ins, remembered and known browsers, and mailed links. */
  signIns: boolean;
};

/**
 * The changes that end something. Adding a factor is none of them: this session gets a new secret, and all else stays.
 * WE-01, WE-02.
 */
export const WHAT_ENDS = {
  password_changed: { sessions: "others", grants: false, signIns: true },
  /** With 'Also disconnect apps'. */
  password_changed_and_apps: { sessions: "others", grants: true, signIns: true },
  password_reset: { sessions: "all", grants: true, signIns: true },
  second_factors_reset: { sessions: "all", grants: true, signIns: true },
  email_change_undone: { sessions: "all", grants: true, signIns: true },
  factor_removed: { sessions: "others", grants: false, signIns: true },
  email_changed: { sessions: "others", grants: false, signIns: true },
  account_disabled: { sessions: "all", grants: true, signIns: true },
  deletion_requested: { sessions: "all", grants: true, signIns: true },
} as const satisfies Record<string, Ends>;
