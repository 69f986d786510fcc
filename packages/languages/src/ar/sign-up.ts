import type { Texts } from "../texts.ts";

export const signUp: Texts["signUp"] = {
  title: "إنشاء حساب",
  continueTo: "للمتابعة إلى {app}",
  welcome: "لن يستغرق ذلك سوى دقيقة.",
  name: "الاسم",
  email: "البريد الإلكتروني",
  password: "كلمة المرور",
  passwordRule: "15 حرفًا على الأقل. بضع كلمات عشوائية تفي بالغرض.",
  submit: "إنشاء الحساب",
  haveAccount: "هل لديك حساب بالفعل؟",
  signIn: "تسجيل الدخول",
  emailInvalid: "أدخل عنوان بريد إلكتروني مثل name@example.com.",
  emailRefused: "لا يمكنك إنشاء حساب بهذا البريد الإلكتروني. جرّب تسجيل الدخول.",
  nameInvalid: "أدخل اسمًا لا يزيد على 80 حرفًا في سطر واحد.",
  emailDomain: "لا يمكنك إنشاء حساب ببريد إلكتروني من هذا النطاق. استخدم بريدًا آخر، أو اطلب دعوة.",
  closedTitle: "التسجيل مغلق",
  closed: "تحتاج إلى دعوة لإنشاء حساب هنا.",
};
