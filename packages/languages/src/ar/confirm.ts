import type { Texts } from "../texts.ts";

export const confirm: Texts["confirm"] = {
  title: "أكّد هويتك",
  password: "كلمة المرور",
  submit: "متابعة",
  incorrect: "كلمة المرور غير صحيحة.",
  doneTitle: "شكرًا، تم التأكد من هويتك",
  done: "تابع لإجراء التغيير الذي طلبته.",
  text: "سجّلت الدخول باسم {email}. أكّد هويتك للمتابعة.",
  code: "رمز من تطبيق المصادقة أو رمز استرداد",
  other: "التأكيد بطريقة أخرى",
  incorrectCode: "الرمز غير صحيح.",
};
