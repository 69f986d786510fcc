import type { Texts } from "../texts.ts";

export const passkeys: Texts["passkeys"] = {
  signIn: "Se connecter avec une clé d’accès",
  confirm: "Confirmer avec une clé d’accès",
  unsupported: "Ce navigateur ne prend pas en charge les clés d’accès. Connectez-vous autrement.",
  cancelled: "Aucune clé d’accès n’a été utilisée. Réessayez ou connectez-vous autrement.",
  refused: "Cette clé d’accès n’a pas fonctionné. Réessayez ou connectez-vous autrement.",
  empty:
    "Votre navigateur n’a pas envoyé de clé d’accès, car elles nécessitent JavaScript. Connectez-vous avec votre adresse e-mail et votre mot de passe, ou par un autre moyen de cette page.",
  title: "Clés d’accès",
  intro:
    "Connectez-vous avec votre empreinte, votre visage ou le verrouillage de votre écran. Une clé d’accès ne fonctionne que sur ce site : elle ne peut pas être hameçonnée.",
  none: "Vous n’avez pas encore de clé d’accès.",
  off: "Les clés d’accès sont désactivées : elles nécessitent un nom de domaine, et l’adresse de ce serveur est une adresse IP.",
  add: "Ajouter une clé d’accès",
  addIntro:
    "Votre appareil vous demande votre empreinte, votre visage ou le verrouillage de votre écran. Une clé de sécurité ou un téléphone à proximité conviennent aussi.",
  addUnsupported: "Ce navigateur ne prend pas en charge les clés d’accès. Essayez la version actuelle d’un autre navigateur.",
  addCancelled: "Aucune clé d’accès n’a été créée. Réessayez quand vous serez prêt.",
  addRegistered: "Cet appareil ou ce gestionnaire de mots de passe a déjà une clé d’accès pour votre compte.",
  addFailed: "La clé d’accès n’a pas pu être ajoutée. Rechargez la page et réessayez.",
  addEmpty: "Votre navigateur n’a pas envoyé de clé d’accès. L’ajout nécessite JavaScript ; tout le reste fonctionne sans.",
  full: "Vous avez 20 clés d’accès, le maximum pour un compte. Supprimez-en une pour en ajouter une autre.",
  added: (when: string) => `Ajoutée ${when}`,
  lastUsed: (when: string) => `dernière utilisation ${when}`,
  neverUsed: "jamais utilisée",
  synced: "Synchronisée",
  thisDeviceOnly: "Sur un seul appareil",
  otherDomain: (domain: string) => `Créée pour ${domain}, elle ne fonctionne pas ici.`,
  rename: "Renommer",
  renameOf: (name: string) => `Renommer ${name}`,
  name: "Nom",
  saveName: "Enregistrer le nom",
  badName: "Saisissez un nom de 60 caractères au plus.",
  remove: "Supprimer",
  removeOf: (name: string) => `Supprimer ${name}`,
  backToSecurity: "Retour à la sécurité",
  cannotRemove: "Vous ne pouvez pas supprimer cette clé d’accès",
  lastWayIn:
    "Cette clé d’accès est votre seul moyen de vous connecter. Définissez d’abord un mot de passe ou ajoutez une autre clé d’accès.",
  notices: {
    passkey_added: "Clé d’accès ajoutée. Vous pouvez désormais l’utiliser pour vous connecter.",
    passkey_renamed: "Clé d’accès renommée.",
    passkey_removed: "Clé d’accès supprimée.",
  },
  offerTitle: "Connectez-vous plus vite la prochaine fois",
  offerText:
    "Créez une clé d’accès et connectez-vous avec votre empreinte, votre visage ou le verrouillage de votre écran au lieu de votre mot de passe.",
  create: "Créer une clé d’accès",
  notNow: "Pas maintenant",
};
