import type { Texts } from "../texts.ts";

export const newBrowser: Texts["newBrowser"] = {
  title: "أكّد هذا المتصفح",
  text: "أُدخلت كلمات مرور خاطئة كثيرة للعنوان {email}. قبل تسجيل الدخول هنا بكلمة مرورك، أدخل رمزًا من رسالة بريد.",
  send: "أرسل رمزًا",
};
