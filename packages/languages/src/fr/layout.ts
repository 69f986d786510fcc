import type { Texts } from "../texts.ts";

export const layout: Texts["layout"] = {
  changeLanguage: "Changer de langue",
  terms: "Conditions",
  privacy: "Confidentialité",
  support: "Aide",
  signOut: "Se déconnecter",
  signedInAs: "Connecté en tant que",
  notYou: "Ce n’est pas vous ?",
  environments: { development: "développement", staging: "préproduction", production: "production" },
};
