import type { Texts } from "../texts.ts";

export const mailFrame: Texts["mailFrame"] = {
  footer: (product, issuer) => `أرسل ${product} هذه الرسالة تلقائيًا من ${issuer}. لا تُقرأ الردود.`,
  copyLink: "أو انسخ هذا الرابط إلى متصفحك:",
  ignore: "إذا لم تطلب ذلك، يمكنك تجاهل هذه الرسالة.",
  time: "الوقت",
  device: "الجهاز",
  address: "عنوان IP",
  unknown: "غير معروف",
  notYou: "إذا كنت أنت من فعل ذلك، فلا داعي لأي إجراء. وإن لم تكن أنت، فراجع أمان حسابك الآن.",
  reviewSecurity: "راجع الأمان",
};
