import type { Texts } from "../texts.ts";

export const layout: Texts["layout"] = {
  changeLanguage: "Cambiar idioma",
  terms: "Términos",
  privacy: "Privacidad",
  support: "Ayuda",
  signOut: "Cerrar sesión",
  signedInAs: "Sesión iniciada como",
  notYou: "¿No eres tú?",
  environments: { development: "desarrollo", staging: "preproducción", production: "producción" },
};
