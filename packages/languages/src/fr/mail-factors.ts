import { plural } from "../amounts.ts";
import type { Texts } from "../texts.ts";

export const mailFactors: Texts["mailFactors"] = {
  totp_on: {
    subject: (product) => `La validation en deux étapes est activée pour ${product}`,
    happened:
      "Une application d'authentification a été configurée pour votre compte. Chaque connexion avec votre mot de passe demande désormais un code.",
  },
  totp_off: {
    subject: (product) => `Votre application d'authentification a été supprimée de ${product}`,
    happened: "L'application d'authentification a été supprimée de votre compte.",
  },
  recovery_codes_made: {
    subject: (product) => `Nouveaux codes de secours pour ${product}`,
    happened: "De nouveaux codes de secours ont été créés pour votre compte. Les anciens ne fonctionnent plus.",
  },
  recovery_code_used: {
    subject: (product) => `Un code de secours a été utilisé pour ${product}`,
    happened: "Quelqu'un s'est connecté à votre compte avec un code de secours.",
    left: (left) => plural(left, "fr", { one: `Il vous reste ${left} code de secours.`, other: `Il vous reste ${left} codes de secours.` }),
  },
  new_sign_in: {
    subject: (product) => `Nouvelle connexion à ${product}`,
    happened: "Quelqu'un s'est connecté à votre compte depuis un navigateur que nous ne connaissions pas.",
  },
};
