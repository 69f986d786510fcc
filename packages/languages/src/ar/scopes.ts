import type { Texts } from "../texts.ts";

export const scopes: Texts["scopes"] = {
  openid: "تأكيد هويتك",
  profile: "رؤية اسمك",
  email: "رؤية عنوان بريدك الإلكتروني",
  address: "رؤية عنوانك البريدي",
  phone: "رؤية رقم هاتفك",
  offline_access: "الاحتفاظ بالوصول أثناء غيابك",
  "api:read": "قراءة بياناتك عبر واجهة البرمجة",
  "api:write": "تغيير بياناتك عبر واجهة البرمجة",
  "account:read": "رؤية أماكن تسجيل دخولك والتطبيقات التي لديها إمكانية الوصول",
  "account:write": "تسجيل خروجك في أماكن أخرى وإلغاء وصول التطبيقات",
};
