import type { Texts } from "../texts.ts";

export const deletion: Texts["deletion"] = {
  title: "Supprimer votre compte",
  text: "Vous êtes déconnecté partout et toutes les applications sont immédiatement déconnectées.",
  grace: (days) => `Votre compte et tout son contenu sont supprimés après ${days}. D'ici là, vous pouvez vous connecter et le restaurer.`,
  noGrace: "Votre compte et tout son contenu sont supprimés immédiatement. Cette action est irréversible.",
  submit: "Supprimer mon compte",
  cancel: "Garder mon compte",
  lastAdmin: "Vous êtes le dernier administrateur qui peut se connecter. Nommez d'abord quelqu'un d'autre administrateur.",
  doneTitle: "Votre compte va être supprimé",
  done: (when) =>
    `Vous êtes déconnecté partout. Le compte sera définitivement supprimé le ${when}. Pour le garder, connectez-vous avant cette date.`,
  goneTitle: "Votre compte est supprimé",
  gone: "Vous êtes déconnecté partout et tout le contenu de votre compte est supprimé.",
  back: "Retour au compte",
  restoreTitle: "Restaurer votre compte ?",
  restoreText: (when) => `Ce compte est marqué pour suppression. Il sera définitivement supprimé le ${when}.`,
  restore: "Restaurer",
  restored: "Votre compte est restauré. Connectez-vous pour l'utiliser.",
  restoreDead: "Le délai est dépassé. Connectez-vous de nouveau pour restaurer votre compte.",
  exportTitle: "Télécharger vos données",
  exportText:
    "Un fichier JSON avec votre profil, les noms de vos moyens de connexion, vos sessions, vos applications connectées et votre activité. Il ne contient ni mot de passe ni clé.",
  exportSubmit: "Télécharger mes données",
};
