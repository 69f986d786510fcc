import { plural } from "../amounts.ts";
import type { Texts } from "../en/index.ts";

export const mailFrame: Texts["mailFrame"] = {
  footer: (product, issuer) =>
    `${product} a envoyé cet e-mail automatiquement depuis ${issuer}. Les réponses ne sont pas lues.`,
  copyLink: "Ou copiez ce lien dans votre navigateur :",
  ignore: "Si vous n'êtes pas à l'origine de cette demande, vous pouvez ignorer cet e-mail.",
  time: "Heure",
  device: "Appareil",
  address: "Adresse IP",
  unknown: "Inconnu",
  notYou: "Si c'était vous, vous n'avez rien à faire. Sinon, vérifiez dès maintenant la sécurité de votre compte.",
  reviewSecurity: "Vérifier la sécurité",
};

export const mailRegistration: Texts["mailRegistration"] = {
  codeSubject: (product) => `Votre code pour ${product}`,
  typeCode: "Saisissez ce code dans la fenêtre où vous avez créé votre compte. Il est valable 10 minutes :",
  orOpen: "Ou ouvrez ce lien dans les 24 heures.",
  confirmAddress: "Confirmer votre adresse e-mail",
  takenSubject: (product) => `Vous avez déjà un compte ${product}`,
  taken:
    "Quelqu'un a essayé de créer un compte avec cette adresse e-mail. Vous en avez déjà un, rien n'a donc été créé. Connectez-vous plutôt. Si vous avez oublié votre mot de passe, vous pouvez le réinitialiser sur la page de connexion.",
  signIn: "Se connecter",
  verifySubject: (product) => `Vérifiez votre adresse e-mail pour ${product}`,
  typeVerifyCode: "Saisissez ce code sur la page où vous l'avez demandé. Il est valable 10 minutes :",
  verify: "Vérifier l'adresse e-mail",
  invitationSubject: (product) => `Invitation à rejoindre ${product}`,
  invitation: (product) =>
    `Vous êtes invité à créer un compte ${product}. L'invitation est valable une fois, pendant 7 jours.`,
  invitationBy: (inviter, product) =>
    `${inviter} vous invite à créer un compte ${product}. L'invitation est valable une fois, pendant 7 jours.`,
  accept: "Accepter l'invitation",
  invitationIgnore: "Si vous ne savez pas qui vous a invité, ignorez cet e-mail.",
  changeSubject: (product) => `Confirmez votre nouvelle adresse e-mail pour ${product}`,
  typeChangeCode: "Saisissez ce code sur la page où vous avez changé votre adresse e-mail. Il est valable 10 minutes :",
  changeOrOpen:
    "Ou ouvrez ce lien dans les 24 heures, dans un navigateur où vous êtes connecté. D'ici là, votre compte garde son ancienne adresse.",
  changeRequestedSubject: "Votre adresse e-mail va changer",
  changeRequested:
    "Une personne connectée à votre compte a demandé à changer son adresse e-mail. Elle changera dès que la nouvelle adresse sera confirmée. Pour l'empêcher, changez votre mot de passe.",
  changedSubject: "Votre adresse e-mail a été changée",
  changed: "L'adresse e-mail de votre compte a été changée. Connectez-vous désormais avec la nouvelle adresse.",
  undoText:
    "Si ce n'était pas vous, annulez ce changement dans les 72 heures : votre ancienne adresse est rétablie, tous les appareils sont déconnectés et vous choisissez un nouveau mot de passe.",
  undo: "Annuler le changement",
  undoneSubject: "Le changement de votre adresse e-mail a été annulé",
  undone:
    "Le changement de l'adresse e-mail de votre compte a été annulé. L'ancienne adresse est de nouveau valable et tous les appareils sont déconnectés.",
  deletionSubject: "Votre compte va être supprimé",
  deletion: (when) =>
    `Votre compte est marqué pour suppression et tous les appareils sont déconnectés. Il sera définitivement supprimé le ${when}.`,
  deletedSubject: "Votre compte a été supprimé",
  deleted: "Votre compte et tout son contenu ont été supprimés.",
  restoreText: "Pour le garder, connectez-vous avant cette date et choisissez Restaurer.",
  restoredSubject: "Votre compte a été restauré",
  restored: "Votre compte n'est plus marqué pour suppression. Connectez-vous pour l'utiliser.",
};

export const mailSignIn: Texts["mailSignIn"] = {
  subject: (product) => `Votre code de connexion à ${product}`,
  typeCode: "Saisissez ce code dans la fenêtre où vous l'avez demandé :",
  orOpen: "Ou ouvrez ce lien dans le même navigateur. Les deux fonctionnent une fois, pendant 10 minutes.",
  signIn: "Se connecter",
};

export const mailPasswords: Texts["mailPasswords"] = {
  resetSubject: (product) => `Réinitialiser votre mot de passe ${product}`,
  resetText:
    "Quelqu’un, vous sans doute, a demandé à réinitialiser le mot de passe de votre compte. Le bouton fonctionne pendant 30 minutes, une seule fois.",
  resetButton: "Choisir un nouveau mot de passe",
  noPasswordSubject: (product) => `Se connecter à ${product}`,
  noPasswordText:
    "Quelqu’un, vous sans doute, a demandé à réinitialiser le mot de passe de votre compte. Il n’en a pas : vous vous connectez avec une clé d’accès.",
  noPasswordRecovery:
    "Si vous ne pouvez plus utiliser votre clé d’accès, choisissez un mot de passe avec le bouton ci-dessous. Il vous faut aussi un de vos codes de récupération.",
  noPasswordHelp: "Si vous ne pouvez plus utiliser votre clé d’accès, demandez de l’aide à un administrateur.",
  changedSubject: (product) => `Votre mot de passe ${product} a été changé`,
  changedText: "Le mot de passe de votre compte a été changé. Vos autres appareils sont déconnectés.",
  resetDoneSubject: (product) => `Votre mot de passe ${product} a été réinitialisé`,
  resetDoneText:
    "Le mot de passe de votre compte a été réinitialisé par e-mail. Tous les appareils et toutes les applications sont déconnectés.",
  browserSubject: (code) => `${code} est votre code de connexion`,
  browserText:
    "De nombreux mots de passe incorrects ont été saisis pour votre compte. Pour vous connecter avec votre mot de passe dans un nouveau navigateur, saisissez-y ce code. Il est valable 10 minutes.",
};

export const mailPasskeys: Texts["mailPasskeys"] = {
  addedSubject: "Une clé d’accès a été ajoutée à votre compte",
  added: "Une clé d’accès a été ajoutée à votre compte. Elle permet de se connecter.",
  removedSubject: "Une clé d’accès a été supprimée de votre compte",
  removed: "Une clé d’accès a été supprimée de votre compte. Elle ne permet plus de se connecter.",
  clonedSubject: "Une connexion avec l’une de vos clés d’accès a été bloquée",
  cloned: "Une connexion avec l’une de vos clés d’accès a été bloquée : sa clé de sécurité a peut-être été copiée.",
  clonedAdvice:
    "Supprimez cette clé d’accès sur votre page de sécurité et ajoutez-en une autre avec une clé de sécurité de confiance.",
};

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
    left: (left) =>
      plural(left, "fr", {
        one: `Il vous reste ${left} code de secours.`,
        other: `Il vous reste ${left} codes de secours.`,
      }),
  },
  new_sign_in: {
    subject: (product) => `Nouvelle connexion à ${product}`,
    happened: "Quelqu'un s'est connecté à votre compte depuis un navigateur que nous ne connaissions pas.",
  },
};

export const mailUpstream: Texts["mailUpstream"] = {
  linkedSubject: (provider) => `${provider} a été associé à votre compte`,
  linked: (provider, product) => `${provider} permet désormais de se connecter à votre compte ${product}.`,
  removedSubject: (provider) => `${provider} a été supprimé de votre compte`,
  removed: (provider, product) => `${provider} ne permet plus de se connecter à votre compte ${product}.`,
};

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
  setText:
    "Un administrateur a défini un nouveau mot de passe pour votre compte et vous a déconnecté de tous vos appareils.",
  firstSubject: (product) => `Votre compte ${product} a désormais un mot de passe`,
  firstText:
    "Un administrateur a ajouté un mot de passe à votre compte. Vous pouvez désormais vous connecter avec celui-ci.",
  testSubject: (product) => `Un e-mail de test de ${product}`,
  testText: (product) => `Les e-mails de ${product} vous parviennent. Vous avez demandé celui-ci dans la console.`,
  questions: "Si vous ne vous y attendiez pas, contactez votre administrateur.",
};
