import type { Texts } from "../texts.ts";

export const scopes: Texts["scopes"] = {
  openid: "confirmer qui vous êtes",
  profile: "voir votre nom",
  email: "voir votre adresse e-mail",
  address: "voir votre adresse postale",
  phone: "voir votre numéro de téléphone",
  offline_access: "conserver l’accès en votre absence",
  "api:read": "lire vos données par l’API",
  "api:write": "modifier vos données par l’API",
  "account:read": "voir où vous êtes connecté et quelles applications ont accès",
  "account:write": "vous déconnecter ailleurs et retirer l’accès d’applications",
};
