import type { Texts } from "../texts.ts";

export const mailSignIn: Texts["mailSignIn"] = {
  subject: (product) => `رمز تسجيل الدخول إلى ${product}`,
  typeCode: "اكتب هذا الرمز في النافذة التي طلبته منها:",
  orOpen: "أو افتح هذا الرابط في المتصفح نفسه. كلاهما يعمل مرة واحدة لمدة 10 دقائق.",
  signIn: "تسجيل الدخول",
};
