import type { Texts } from "../texts.ts";

export const consent: Texts["consent"] = {
  title: (app: string) => `هل تسمح لتطبيق ${app}؟`,
  heading: "يريد {app} الوصول إلى حسابك",
  redirect: "ستتم إعادة توجيهك إلى {host}.",
  unverified: "لا يمكننا التحقق من أن هذا هو {app} فعلًا: يستطيع أي برنامج على جهازك أن ينتحل صفته. تابع فقط إذا شغّلته بنفسك للتو.",
  selfRegistered: "سجّل هذا التطبيق نفسه بنفسه، ولم نتحقق منه. قد يكون اسمه مضلّلًا.",
  selfDescribed: "يصف هذا التطبيق نفسه على {host}. لم نتحقق منه.",
  onThisDevice: "يعمل على هذا الجهاز، حيث يستطيع أي برنامج أن ينتحل صفة {app}.",
  onlyIfStarted: "تابع فقط إذا بدأت هذا بنفسك للتو.",
  allowsAccount: "سيسمح له هذا بمعرفة أن لديك حسابًا",
  allowsAlso: "سيسمح له هذا أيضًا بما يلي",
  allows: "سيسمح له هذا بما يلي",
  allowedAlready: "تسمح له بالفعل بما يلي",
  deny: "رفض",
  allow: "سماح",
  revokeAnyTime: "يمكنك إلغاء الوصول في أي وقت في {account}.",
  yourAccount: "حسابك",
  testRun: "تشغيل تجريبي",
  testRunText: "بدأت هذا في وحدة التحكم لاختبار {app}. ما تسمح به لا يُحفظ وينتهي مع الاختبار.",
};
