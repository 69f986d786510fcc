import type { Texts } from "../texts.ts";

export const layout: Texts["layout"] = {
  changeLanguage: "Sprache ändern",
  terms: "Nutzungsbedingungen",
  privacy: "Datenschutz",
  support: "Hilfe",
  signOut: "Abmelden",
  signedInAs: "Angemeldet als",
  notYou: "Nicht Sie?",
  environments: { development: "Entwicklung", staging: "Test", production: "Produktion" },
};
