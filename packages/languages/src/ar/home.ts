import type { Texts } from "../texts.ts";

export const home: Texts["home"] = {
  title: "مرحبًا",
  heading: (product: string) => `مرحبًا بك في ${product}`,
  text: "سجّل الدخول لإدارة حسابك والتطبيقات المتصلة.",
  account: "حسابك",
  signIn: "تسجيل الدخول",
  console: "فتح وحدة التحكم",
  developers: "هل تطوّر تطبيقًا؟ اطّلع على {metadata}.",
  metadata: "البيانات الوصفية للخادم",
};
