import { plural } from "../amounts.ts";
import type { Texts } from "../en/index.ts";

export const security: Texts["security"] = {
  title: "Sécurité",
  text: "Comment vous vous connectez, et ce qui protège votre compte.",
  notices: {
    password_changed: "Mot de passe changé. Vous êtes déconnecté partout ailleurs.",
  },
};

export const secondStep: Texts["secondStep"] = {
  title: "Validation en deux étapes",
  text: "Saisissez le code à 6 chiffres de votre application d'authentification.",
  recoveryText: "Saisissez l'un de vos codes de secours. Chaque code sert une seule fois.",
  code: "Code",
  submit: "Continuer",
  useRecovery: "Utiliser un code de secours",
  useApp: "Utiliser l'application d'authentification",
  remember: "Se souvenir de ce navigateur",
  incorrect: "Ce code est incorrect ou a déjà servi. Attendez un nouveau code et réessayez.",
  expired: "La connexion a pris trop de temps, ou il y a eu trop de codes incorrects. Connectez-vous à nouveau.",
  back: "Retour à la connexion",
  keyText: "Confirmez votre identité avec votre clé d'accès ou votre clé de sécurité.",
  useKey: "Utiliser une clé d'accès ou de sécurité",
  keyFailed: "Nous n'avons pas pu vérifier cette clé d'accès. Réessayez ou choisissez une autre méthode.",
  setUpTitle: "Configurer une application d'authentification",
  setUpText:
    "Scannez ce code QR avec une application d'authentification sur votre téléphone. Saisissez ensuite le code à 6 chiffres qu'elle affiche.",
  setUpRequired: "Votre compte a besoin d'une deuxième étape.",
  setUpOffered: "L'application à laquelle vous vous connectez demande une deuxième étape.",
  notNow: "Plus tard",
  qrCode: "Code QR pour votre application d'authentification",
  openApp: "Ouvrir une application d'authentification sur cet appareil",
  typeKey: "Ou saisissez cette clé dans l'application :",
  setUpIncorrect: "Ce code est incorrect. Vérifiez l'heure de votre téléphone et saisissez le code actuel.",
  setUpExpired: "Cette page est restée ouverte trop longtemps. Scannez le nouveau code QR.",
  passkeyOffered:
    "L'application à laquelle vous vous connectez demande une clé d'accès. Ajoutez-en une sur votre page de sécurité, puis réessayez.",
  security: "Page de sécurité",
  codesTitle: "Vos codes de secours",
  codesText:
    "Conservez ces codes en lieu sûr. Si vous perdez votre téléphone ou votre clé d’accès, chacun vous permet d’entrer une fois. Nous ne pourrons plus les afficher.",
  copyCodes: "Copier",
  downloadCodes: "Télécharger",
  printCodes: "Imprimer",
  codesCopied: "Copié",
  appTitle: "Application d'authentification",
  appOff:
    "Un code d'une application sur votre téléphone protège votre compte, même si quelqu'un apprend votre mot de passe.",
  appSetUp: "Configurer l'application d'authentification",
  remove: "Supprimer",
  removeApp: "Supprimer l'application d'authentification",
  codesSection: "Codes de secours",
  newCodes: "Nouveaux codes de secours",
  browsersTitle: "Navigateurs mémorisés",
  browsersText: "Ces navigateurs ne demandent pas la deuxième étape.",
  forget: "Oublier",
  appOn: (since) => `Activée le ${since}.`,
  codesNone:
    "Vous n’avez pas de codes de secours. Chacun vous permet d’entrer une fois si vous perdez votre téléphone ou votre clé d’accès.",
  codesLeft: (left) =>
    plural(left, "fr", { one: `Il reste ${left} code inutilisé.`, other: `Il reste ${left} codes inutilisés.` }),
  lastUsed: (when) => `Dernière utilisation ${when}`,
  forgetOf: (browser) => `Oublier ${browser}`,
  notices: {
    totp_on: "Votre application d'authentification est configurée.",
    totp_off: "Votre application d'authentification a été supprimée.",
    browser_forgotten: "Ce navigateur demandera de nouveau la deuxième étape.",
    required: "Votre compte a besoin d'une deuxième étape. Configurez-en une autre avant de supprimer celle-ci.",
    changed: "Votre compte a changé entre-temps. Réessayez.",
  },
};

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
  addUnsupported:
    "Ce navigateur ne prend pas en charge les clés d’accès. Essayez la version actuelle d’un autre navigateur.",
  addCancelled: "Aucune clé d’accès n’a été créée. Réessayez quand vous serez prêt.",
  addRegistered: "Cet appareil ou ce gestionnaire de mots de passe a déjà une clé d’accès pour votre compte.",
  addFailed: "La clé d’accès n’a pas pu être ajoutée. Rechargez la page et réessayez.",
  addMissing: "Remplissez d’abord les champs ci-dessus.",
  addEmpty:
    "Votre navigateur n’a pas envoyé de clé d’accès. L’ajout nécessite JavaScript ; tout le reste fonctionne sans.",
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

export const confirm: Texts["confirm"] = {
  title: "Confirmez que c’est bien vous",
  password: "Mot de passe",
  submit: "Continuer",
  incorrect: "Mot de passe incorrect.",
  doneTitle: "Merci, c’est bien vous",
  done: "Continuez pour effectuer la modification demandée :",
  asked: "Vous pourrez ensuite continuer avec :",
  notAsked: "Si vous n’avez rien demandé, fermez cette page.",
  text: "Cela protège votre compte. Confirmez votre identité pour continuer.",
  forApp: "{app} vous demande de confirmer que c’est bien vous.",
  code: "Code de votre application d'authentification ou code de secours",
  other: "Confirmer autrement",
  incorrectCode: "Code incorrect.",
  passkeyText: "Confirmez votre identité avec votre clé d’accès pour continuer.",
  elsewhere:
    "Votre clé d’accès est sur un autre appareil ? Appuyez sur le bouton, puis choisissez un téléphone ou un autre appareil dans la fenêtre du navigateur. Ou faites cette modification sur un appareil qui a votre clé d’accès.",
  lost: "Vous n’avez pas de codes de secours. Si vous avez perdu votre clé d’accès, adressez-vous à un administrateur.",
  acts: {
    email: "Remplacer votre adresse e-mail par {email}",
    deletion: "Supprimer votre compte",
    export: "Télécharger vos données",
    sessions: "Vous déconnecter partout ailleurs",
    sessionsAndApps: "Vous déconnecter partout ailleurs et déconnecter toutes les applications",
    connect: "Associer {provider}",
    disconnect: "Dissocier {provider}",
    addPasskey: "Ajouter une clé d’accès",
    removePasskey: "Supprimer la clé d’accès {name}",
    addApp: "Configurer une application d'authentification",
    removeApp: "Supprimer l'application d'authentification",
    recoveryCodes: "Remplacer vos codes de secours",
  },
};
