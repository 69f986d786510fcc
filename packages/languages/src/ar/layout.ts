import type { Texts } from "../texts.ts";

export const layout: Texts["layout"] = {
  changeLanguage: "تغيير اللغة",
  terms: "الشروط",
  privacy: "الخصوصية",
  support: "المساعدة",
  signOut: "تسجيل الخروج",
  signedInAs: "تم تسجيل الدخول باسم",
  notYou: "لست أنت؟",
  environments: { development: "تطوير", staging: "اختبار", production: "إنتاج" },
};
