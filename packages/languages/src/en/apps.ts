export const apps = {
  title: "Connected apps",
  text: "Apps with access to your account. Revoking access takes effect immediately.",
  none: "No apps have access to your account.",
  can: (things: string) => `Can ${things}.`,
  canNothing: "see that you have an account",
  connected: (ago: string) => `Connected ${ago}`,
  neverUsed: "never used",
  lastUsed: (ago: string) => `last used ${ago}`,
  revoke: "Revoke access",
  revokeOf: (app: string) => `Revoke access of ${app}`,
  notices: { app_revoked: "Access revoked." },
};
