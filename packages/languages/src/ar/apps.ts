import type { Texts } from "../texts.ts";

export const apps: Texts["apps"] = {
  title: "التطبيقات المتصلة",
  text: "تطبيقات لديها إمكانية الوصول إلى حسابك. يسري إلغاء الوصول فورًا.",
  none: "لا يملك أي تطبيق إمكانية الوصول إلى حسابك.",
  can: (things: string) => `يمكنه: ${things}.`,
  canNothing: "معرفة أن لديك حسابًا",
  connected: (ago: string) => `متصل ${ago}`,
  neverUsed: "لم يُستخدم قط",
  lastUsed: (ago: string) => `آخر استخدام ${ago}`,
  revoke: "إلغاء الوصول",
  revokeOf: (app: string) => `إلغاء الوصول: ${app}`,
  notices: { app_revoked: "تم إلغاء الوصول." },
};
