import type { Texts } from "../texts.ts";

export const mailUpstream: Texts["mailUpstream"] = {
  linkedSubject: (provider) => `تم ربط ${provider} بحسابك`,
  linked: (provider, product) => `يمكن الآن استخدام ${provider} لتسجيل الدخول إلى حسابك في ${product}.`,
  removedSubject: (provider) => `تمت إزالة ${provider} من حسابك`,
  removed: (provider, product) => `لم يعد من الممكن استخدام ${provider} لتسجيل الدخول إلى حسابك في ${product}.`,
};
