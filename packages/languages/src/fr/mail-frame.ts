import type { Texts } from "../texts.ts";

export const mailFrame: Texts["mailFrame"] = {
  footer: (product, issuer) => `${product} a envoyé cet e-mail automatiquement depuis ${issuer}. Les réponses ne sont pas lues.`,
  copyLink: "Ou copiez ce lien dans votre navigateur :",
  ignore: "Si vous n'êtes pas à l'origine de cette demande, vous pouvez ignorer cet e-mail.",
  time: "Heure",
  device: "Appareil",
  address: "Adresse IP",
  unknown: "Inconnu",
  notYou: "Si c'était vous, vous n'avez rien à faire. Sinon, vérifiez dès maintenant la sécurité de votre compte.",
  reviewSecurity: "Vérifier la sécurité",
};
