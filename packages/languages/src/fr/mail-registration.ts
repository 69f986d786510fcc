import type { Texts } from "../texts.ts";

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
  invitation: (product) => `Vous êtes invité à créer un compte ${product}. L'invitation est valable une fois, pendant 7 jours.`,
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
