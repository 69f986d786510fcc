import type { Texts } from "../texts.ts";

export const scopes: Texts["scopes"] = {
  openid: "bestätigen, wer Sie sind",
  profile: "Ihren Namen sehen",
  email: "Ihre E-Mail-Adresse sehen",
  address: "Ihre Postanschrift sehen",
  phone: "Ihre Telefonnummer sehen",
  offline_access: "den Zugriff behalten, während Sie nicht da sind",
  "api:read": "Ihre Daten über die API lesen",
  "api:write": "Ihre Daten über die API ändern",
  "account:read": "sehen, wo Sie angemeldet sind und welche Apps Zugriff haben",
  "account:write": "Sie anderswo abmelden und Apps den Zugriff entziehen",
};
