import type { Texts } from "../texts.ts";

export const mailPeople: Texts["mailPeople"] = {
  roles: { admin: "مسؤول", developer: "مطوّر", viewer: "مُطّلع", user: "مستخدم" },
  roleSubject: (product) => `تغيّر دورك في ${product}`,
  roleText: (role) => `غيّر أحد المسؤولين دورك. دورك الآن: ${role}.`,
  disabledSubject: (product) => `تم تعطيل حسابك في ${product}`,
  disabledText: "عطّل أحد المسؤولين حسابك. لا يمكنك تسجيل الدخول، وتم تسجيل خروجك من جميع الأجهزة.",
  factorsSubject: (product) => `تمت إعادة ضبط التحقق بخطوتين في ${product}`,
  factorsText:
    "أزال أحد المسؤولين تطبيق المصادقة ورموز الاسترداد ومفاتيح المرور المضافة إلى كلمة مرورك وسجّل خروجك من جميع الأجهزة. يمكنك إعدادها من جديد بعد تسجيل الدخول.",
  passwordSubject: (product) => `اختر كلمة مرور جديدة لـ ${product}`,
  passwordText: "يطلب منك أحد المسؤولين اختيار كلمة مرور جديدة. ستُطلب منك في المرة القادمة التي تسجّل فيها الدخول.",
  setSubject: (product) => `تغيّرت كلمة مرورك في ${product}`,
  setText: "عيّن أحد المسؤولين كلمة مرور جديدة لحسابك وسجّل خروجك من جميع الأجهزة.",
  firstSubject: (product) => `أصبح لحسابك في ${product} كلمة مرور`,
  firstText: "أضاف أحد المسؤولين كلمة مرور إلى حسابك. يمكنك الآن تسجيل الدخول بها.",
  testSubject: (product) => `رسالة اختبار من ${product}`,
  testText: (product) => `تصلك الرسائل من ${product}. طلبتَ هذه الرسالة من لوحة التحكم.`,
  questions: "إذا لم تكن تتوقع ذلك، فتواصل مع المسؤول.",
};
