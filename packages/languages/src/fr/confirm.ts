import type { Texts } from "../texts.ts";

export const confirm: Texts["confirm"] = {
  title: "Confirmez que c’est bien vous",
  password: "Mot de passe",
  submit: "Continuer",
  incorrect: "Mot de passe incorrect.",
  doneTitle: "Merci, c’est bien vous",
  done: "Continuez pour effectuer la modification demandée.",
  text: "Vous êtes connecté en tant que {email}. Confirmez votre identité pour continuer.",
  code: "Code de votre application d'authentification ou code de secours",
  other: "Confirmer autrement",
  incorrectCode: "Code incorrect.",
  passkeyText: "Vous êtes connecté en tant que {email}. Confirmez votre identité avec votre clé d’accès pour continuer.",
  elsewhere:
    "Votre clé d’accès est sur un autre appareil ? Appuyez sur le bouton, puis choisissez un téléphone ou un autre appareil dans la fenêtre du navigateur. Ou faites cette modification sur un appareil qui a votre clé d’accès.",
  lost: "Vous n’avez pas de codes de secours. Si vous avez perdu votre clé d’accès, adressez-vous à un administrateur.",
};
