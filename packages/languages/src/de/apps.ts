import type { Texts } from "../texts.ts";

export const apps: Texts["apps"] = {
  title: "Verbundene Apps",
  text: "Apps mit Zugriff auf Ihr Konto. Ein Widerruf wirkt sofort.",
  none: "Keine App hat Zugriff auf Ihr Konto.",
  can: (things: string) => `Kann ${things}.`,
  canNothing: "sehen, dass Sie ein Konto haben",
  connected: (ago: string) => `Verbunden ${ago}`,
  neverUsed: "nie benutzt",
  lastUsed: (ago: string) => `zuletzt benutzt ${ago}`,
  revoke: "Zugriff widerrufen",
  revokeOf: (app: string) => `Zugriff widerrufen: ${app}`,
  notices: { app_revoked: "Zugriff widerrufen." },
};
