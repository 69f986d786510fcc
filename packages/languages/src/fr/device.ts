import type { Texts } from "../texts.ts";

export const device: Texts["device"] = {
  title: "Connecter un appareil",
  text: "Saisissez le code affiché sur votre appareil.",
  code: "Code",
  submit: "Continuer",
  wrongCode:
    "Ce code est incorrect ou a expiré. Vérifiez le code sur votre appareil, ou recommencez sur celui-ci pour en obtenir un nouveau.",
  confirmTitle: (app: string) => `Connecter ${app} ?`,
  confirmHeading: "Connecter {app} ?",
  confirmText: "Vérifiez que votre appareil affiche ce code.",
  warning:
    "Cela donne à un appareil l’accès à votre compte. Continuez uniquement si vous en êtes à l’origine et si l’appareil est près de vous. Si quelqu’un vous a envoyé ce code ou ce lien, choisissez Refuser.",
  requestedFrom: "Demandé depuis",
  requested: "Demandé",
  approved: { title: "Appareil connecté", text: "Revenez à votre appareil. Il continuera dans quelques secondes." },
  denied: { title: "Accès refusé", text: "L’appareil ne peut pas accéder à votre compte. Vous pouvez fermer cette page." },
  manageApps: "Gérer les applications connectées",
};
