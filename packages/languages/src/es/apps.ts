import type { Texts } from "../texts.ts";

export const apps: Texts["apps"] = {
  title: "Aplicaciones conectadas",
  text: "Aplicaciones con acceso a tu cuenta. La revocación surte efecto de inmediato.",
  none: "Ninguna aplicación tiene acceso a tu cuenta.",
  can: (things: string) => `Puede ${things}.`,
  canNothing: "ver que tienes una cuenta",
  connected: (ago: string) => `Conectada ${ago}`,
  neverUsed: "nunca usada",
  lastUsed: (ago: string) => `usada por última vez ${ago}`,
  revoke: "Revocar el acceso",
  revokeOf: (app: string) => `Revocar el acceso de ${app}`,
  notices: { app_revoked: "Acceso revocado." },
};
