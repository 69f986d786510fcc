import type { Texts } from "../texts.ts";

export const email: Texts["email"] = {
  title: "Changer votre adresse e-mail",
  current: "Vous vous connectez avec {email}.",
  newEmail: "Nouvelle adresse e-mail",
  submit: "Changer l'adresse e-mail",
  sentTo:
    "Si {email} peut être utilisée, nous y avons envoyé un code. Votre compte garde son ancienne adresse jusqu'à ce que vous saisissiez le code.",
  code: "Code",
  verify: "Vérifier",
  startAgain: "Utiliser une autre adresse e-mail",
  invalid: "Saisissez une adresse e-mail comme nom@example.com.",
  same: "C'est déjà l'adresse e-mail de votre compte. Saisissez-en une autre.",
  domain: "Les adresses e-mail de ce domaine ne sont pas acceptées ici.",
  cancelled: "Ce changement a été remplacé ou annulé. Recommencez.",
  unavailable:
    "L'e-mail n'est pas configuré sur ce serveur, les adresses ne peuvent donc pas être confirmées. Demandez à un administrateur de la changer.",
  changed: "Votre adresse e-mail est changée. Vos autres appareils sont déconnectés.",
};
