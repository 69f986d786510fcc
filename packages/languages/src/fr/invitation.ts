import type { Texts } from "../texts.ts";

export const invitation: Texts["invitation"] = {
  title: "Accepter votre invitation",
  text: "Créez votre compte pour {email}.",
  name: "Nom",
  password: "Mot de passe",
  accept: "Accepter l'invitation",
  withPasskey: "Vous préférez une passkey ?",
  acceptWithPasskey: "Accepter avec une passkey",
  withPasskeyText: "Votre appareil en crée une, et vous n'avez pas besoin de mot de passe.",
  otherTitle: "Vous êtes connecté",
  otherText: "Cette invitation est destinée à un autre compte que {email}. Déconnectez-vous, puis ouvrez de nouveau le lien.",
  signOut: "Se déconnecter",
  takenText: "Il existe déjà un compte pour {email}. Connectez-vous avec ce compte ; l'invitation n'est pas nécessaire.",
  signIn: "Se connecter",
  deadTitle: "Cette invitation ne fonctionne plus",
  deadText: "Elle a déjà été acceptée, retirée ou remplacée, ou elle a expiré. Demandez-en une nouvelle.",
};
