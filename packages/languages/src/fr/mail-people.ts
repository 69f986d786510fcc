import type { Texts } from "../texts.ts";

export const mailPeople: Texts["mailPeople"] = {
  roles: { admin: "Administrateur", developer: "Développeur", viewer: "Lecteur", user: "Utilisateur" },
  roleSubject: (product) => `Votre rôle dans ${product} a changé`,
  roleText: (role) => `Un administrateur a modifié votre rôle. Nouveau rôle : ${role}.`,
  disabledSubject: (product) => `Votre compte ${product} a été désactivé`,
  disabledText:
    "Un administrateur a désactivé votre compte. Vous ne pouvez plus vous connecter et vous avez été déconnecté de tous vos appareils.",
  factorsSubject: (product) => `Votre validation en deux étapes dans ${product} a été réinitialisée`,
  factorsText:
    "Un administrateur a supprimé votre application d’authentification, vos codes de récupération et les clés d’accès associées à votre mot de passe, et vous a déconnecté de tous vos appareils. Vous pourrez les configurer à nouveau après votre connexion.",
  passwordSubject: (product) => `Choisissez un nouveau mot de passe pour ${product}`,
  passwordText:
    "Un administrateur vous demande de choisir un nouveau mot de passe. Il vous sera demandé lors de votre prochaine connexion.",
  setSubject: (product) => `Votre mot de passe ${product} a été modifié`,
  setText: "Un administrateur a défini un nouveau mot de passe pour votre compte et vous a déconnecté de tous vos appareils.",
  firstSubject: (product) => `Votre compte ${product} a désormais un mot de passe`,
  firstText: "Un administrateur a ajouté un mot de passe à votre compte. Vous pouvez désormais vous connecter avec celui-ci.",
  testSubject: (product) => `Un e-mail de test de ${product}`,
  testText: (product) => `Les e-mails de ${product} vous parviennent. Vous avez demandé celui-ci dans la console.`,
  questions: "Si vous ne vous y attendiez pas, contactez votre administrateur.",
};
