import type { Texts } from "../texts.ts";

export const invitation: Texts["invitation"] = {
  title: "اقبل دعوتك",
  text: "أنشئ حسابك للعنوان {email}.",
  name: "الاسم",
  password: "كلمة المرور",
  accept: "قبول الدعوة",
  withPasskey: "هل تفضّل مفتاح مرور؟",
  acceptWithPasskey: "القبول بمفتاح مرور",
  withPasskeyText: "ينشئه جهازك، ولا تحتاج إلى كلمة مرور.",
  otherTitle: "سجّلت الدخول بالفعل",
  otherText: "هذه الدعوة لحساب غير {email}. سجّل الخروج، ثم افتح الرابط مرة أخرى.",
  signOut: "تسجيل الخروج",
  takenText: "يوجد حساب للعنوان {email} بالفعل. سجّل الدخول به؛ لا حاجة إلى الدعوة.",
  signIn: "تسجيل الدخول",
  deadTitle: "لم تعد هذه الدعوة صالحة",
  deadText: "قُبلت من قبل، أو سُحبت، أو استُبدلت، أو انتهت صلاحيتها. اطلب دعوة جديدة.",
};
