import type { Texts } from "../texts.ts";

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
