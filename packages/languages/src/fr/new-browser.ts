import type { Texts } from "../texts.ts";

export const newBrowser: Texts["newBrowser"] = {
  title: "Confirmez ce navigateur",
  text: "De nombreux mots de passe incorrects ont été saisis pour {email}. Avant de vous connecter ici avec votre mot de passe, saisissez un code reçu par e-mail.",
  send: "Envoyer un code",
};
