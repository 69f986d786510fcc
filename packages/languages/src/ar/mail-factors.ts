import { plural } from "../amounts.ts";
import type { Texts } from "../texts.ts";

export const mailFactors: Texts["mailFactors"] = {
  totp_on: {
    subject: (product) => `التحقق بخطوتين مفعّل في ${product}`,
    happened: "أُعدّ تطبيق مصادقة لحسابك. كل تسجيل دخول بكلمة مرورك يطلب الآن رمزًا.",
  },
  totp_off: {
    subject: (product) => `أُزيل تطبيق المصادقة من ${product}`,
    happened: "أُزيل تطبيق المصادقة من حسابك.",
  },
  recovery_codes_made: {
    subject: (product) => `رموز استرداد جديدة في ${product}`,
    happened: "أُنشئت رموز استرداد جديدة لحسابك. لم تعد الرموز السابقة صالحة.",
  },
  recovery_code_used: {
    subject: (product) => `استُخدم رمز استرداد في ${product}`,
    happened: "سجّل أحدهم الدخول إلى حسابك برمز استرداد.",
    left: (left) =>
      plural(left, "ar", {
        zero: "لم يبقَ لديك أي رمز استرداد.",
        one: "بقي لديك رمز استرداد واحد.",
        two: "بقي لديك رمزا استرداد.",
        few: `بقيت لديك ${left} رموز استرداد.`,
        other: `بقي لديك ${left} رمز استرداد.`,
      }),
  },
  new_sign_in: {
    subject: (product) => `تسجيل دخول جديد إلى ${product}`,
    happened: "سجّل أحدهم الدخول إلى حسابك من متصفح لم نره من قبل.",
  },
};
