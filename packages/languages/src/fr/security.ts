import type { Texts } from "../texts.ts";

export const security: Texts["security"] = {
  title: "Sécurité",
  text: "Comment vous vous connectez, et ce qui protège votre compte.",
  notices: {
    password_changed: "Mot de passe changé. Vous êtes déconnecté partout ailleurs.",
  },
};
