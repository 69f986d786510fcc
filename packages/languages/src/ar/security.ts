import type { Texts } from "../texts.ts";

export const security: Texts["security"] = {
  title: "الأمان",
  text: "كيف تسجّل الدخول، وما الذي يحمي حسابك.",
  notices: {
    password_changed: "تم تغيير كلمة المرور، وسُجّل خروجك من كل مكان آخر.",
  },
};
