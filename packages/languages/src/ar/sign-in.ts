import type { Texts } from "../texts.ts";

export const signIn: Texts["signIn"] = {
  title: "تسجيل الدخول",
  continueTo: "للمتابعة إلى {app}",
  welcome: "مرحبًا بعودتك.",
  alreadySignedIn: "سبق أن سجّلت الدخول باسم {email}. سجّل الدخول مرة أخرى أدناه، أو انتقل إلى {account}.",
  yourAccount: "حسابك",
  email: "البريد الإلكتروني",
  password: "كلمة المرور",
  keepSignedIn: "إبقائي مسجّل الدخول",
  submit: "تسجيل الدخول",
  forgotPassword: "هل نسيت كلمة المرور؟",
  or: "أو",
  newHere: "جديد هنا؟",
  createAccount: "إنشاء حساب",
  incorrect: "البريد الإلكتروني أو كلمة المرور غير صحيحة.",
  notices: {
    browser_confirmed: "تم تأكيد هذا المتصفح. أدخل كلمة مرورك.",
    password_set: "تم تعيين كلمة المرور. سجّل الدخول بها.",
    password_set_elsewhere: "تم تعيين كلمة المرور. ارجع إلى المتصفح الذي بدأت فيه وسجّل الدخول هناك للمتابعة.",
  },
};
