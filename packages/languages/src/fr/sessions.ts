import type { Texts } from "../texts.ts";

export const sessions: Texts["sessions"] = {
  title: "Où vous êtes connecté",
  text: "Si vous ne reconnaissez pas une session, terminez-la et changez votre mot de passe.",
  browserOn: (browser: string, system: string) => `${browser} sur ${system}`,
  unknownBrowser: "Navigateur inconnu",
  thisDevice: "Cet appareil",
  unknownAddress: "Adresse inconnue",
  signedIn: (ago: string) => `connexion ${ago}`,
  lastSeen: (ago: string) => `dernière activité ${ago}`,
  methods: {
    password: "avec votre mot de passe",
    passkey: "avec une clé d’accès",
    email_code: "avec un code reçu par e-mail",
    upstream: (provider: string) => `avec ${provider}`,
    sign_up: "à la création de votre compte",
    invitation: "avec une invitation",
  },
  end: "Terminer la session",
  endOf: (browser: string) => `Terminer la session de ${browser}`,
  endOthers: "Se déconnecter partout ailleurs",
  alsoApps: "Déconnecter aussi toutes les applications",
  notices: {
    session_ended: "Session terminée.",
    others_ended: "Vous êtes déconnecté partout ailleurs.",
    all_ended: "Vous êtes déconnecté partout ailleurs, et aucune application n’a accès à votre compte.",
  },
};
