import type { Texts } from "../texts.ts";

export const apps: Texts["apps"] = {
  title: "Applications connectées",
  text: "Les applications qui ont accès à votre compte. La révocation prend effet immédiatement.",
  none: "Aucune application n’a accès à votre compte.",
  can: (things: string) => `Peut ${things}.`,
  canNothing: "voir que vous avez un compte",
  connected: (ago: string) => `Connectée ${ago}`,
  neverUsed: "jamais utilisée",
  lastUsed: (ago: string) => `dernière utilisation ${ago}`,
  revoke: "Révoquer l’accès",
  revokeOf: (app: string) => `Révoquer l’accès de ${app}`,
  notices: { app_revoked: "Accès révoqué." },
};
