import type { MailKind, MailKinds } from "@gatehouse/accounts";

const link = "https://id.example/verify-email?token=gml_example";
const NOTICE = { at: 1_800_000_000, userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", address: "192.0.2.1" };

/** Data for the template of every kind, with links of https://id.example. */
export const EXAMPLES: { [Kind in MailKind]: MailKinds[Kind] } = {
  passkey_added: NOTICE,
  passkey_removed: NOTICE,
  passkey_cloned: NOTICE,
  role_changed: { at: 1_800_000_000, role: "developer" },
  account_disabled: { at: 1_800_000_000 },
  second_factors_reset: { at: 1_800_000_000 },
  password_required: { at: 1_800_000_000 },
  test_mail: { at: 1_800_000_000 },
  password_set: { at: 1_800_000_000 },
  sign_in_code: { code: "12345678", link: "https://id.example/sign-in/code?token=gml_example" },
  sign_up_code: { code: "12345678", link },
  sign_up_taken: { link: "https://id.example/sign-in" },
  verify_email: { code: "12345678", link },
  invitation: { link: "https://id.example/invitation?token=giv_example", inviter: "Grace Hopper" },
  email_change_confirm: { code: "12345678", link },
  email_change_notice: NOTICE,
  email_changed: { ...NOTICE, link },
  email_change_undone: NOTICE,
  account_deletion: { ...NOTICE, deleteAfter: 1_800_604_800, link: "https://id.example/sign-in" },
  account_restored: NOTICE,
  identity_linked: { provider: "Google", ...NOTICE },
  identity_removed: { provider: "Google", ...NOTICE },
  reset_link: { link: "https://id.example/reset-password?token=gml_example" },
  no_password: { link: "https://id.example/reset-password?token=gml_example" },
  password_changed: NOTICE,
  password_reset: NOTICE,
  new_browser_code: { code: "12345678" },
  totp_on: NOTICE,
  totp_off: NOTICE,
  recovery_codes_made: NOTICE,
  recovery_code_used: { ...NOTICE, left: 7 },
  new_sign_in: NOTICE,
};
