import type { Texts } from "../texts.ts";

export const sessions: Texts["sessions"] = {
  title: "أماكن تسجيل دخولك",
  text: "إذا لم تتعرّف على جلسة، فأنهها وغيّر كلمة مرورك.",
  browserOn: (browser: string, system: string) => `${browser} على ${system}`,
  unknownBrowser: "متصفح غير معروف",
  thisDevice: "هذا الجهاز",
  unknownAddress: "عنوان غير معروف",
  signedIn: (ago: string) => `تسجيل الدخول ${ago}`,
  lastSeen: (ago: string) => `آخر نشاط ${ago}`,
  methods: {
    password: "بكلمة المرور",
    passkey: "بمفتاح مرور",
    email_code: "برمز أُرسل بالبريد",
    upstream: (provider: string) => `عبر ${provider}`,
    sign_up: "عند إنشاء حسابك",
    invitation: "بدعوة",
  },
  end: "إنهاء الجلسة",
  endOf: (browser: string) => `إنهاء الجلسة: ${browser}`,
  endOthers: "تسجيل الخروج من كل الأماكن الأخرى",
  alsoApps: "قطع اتصال كل التطبيقات أيضًا",
  notices: {
    session_ended: "تم إنهاء الجلسة.",
    others_ended: "تم تسجيل خروجك من كل الأماكن الأخرى.",
    all_ended: "تم تسجيل خروجك من كل الأماكن الأخرى، ولم يعد لأي تطبيق وصول إلى حسابك.",
  },
};
