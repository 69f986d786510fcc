import type { Texts } from "../en/index.ts";

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
  enterPassword: "أدخل كلمة المرور.",
  notices: {
    browser_confirmed: "تم تأكيد هذا المتصفح. أدخل كلمة مرورك.",
    password_set: "تم تعيين كلمة المرور. سجّل الدخول بها.",
    password_set_elsewhere: "تم تعيين كلمة المرور. ارجع إلى المتصفح الذي بدأت فيه وسجّل الدخول هناك للمتابعة.",
  },
};

export const emailSignIn: Texts["emailSignIn"] = {
  button: "أرسل لي رمزًا بالبريد",
  title: "تحقق من بريدك الإلكتروني",
  sent: "إذا كان هناك حساب للعنوان {email}، فقد أرسلنا إليه رمزًا صالحًا لمدة 10 دقائق.",
  code: "الرمز",
  continue: "متابعة",
  again: "أرسل رمزًا جديدًا",
  otherWay: "سجّل الدخول بطريقة أخرى",
  wrongCode: "الرمز غير صحيح أو انتهت صلاحيته. راجع أحدث رسالة أو اطلب رمزًا جديدًا.",
  enterEmail: "أدخل عنوان بريدك الإلكتروني أولًا.",
  linkTitle: "تسجيل الدخول",
  linkText: "تابع لتسجيل الدخول باسم {email}.",
  signIn: "تسجيل الدخول",
  elsewhereTitle: "اكتب الرمز في النافذة الأولى",
  elsewhere: "لا يعمل هذا الرابط إلا في المتصفح الذي طلبته منه. اكتب هناك الرمز الوارد في الرسالة.",
  expiredTitle: "انتهت صلاحية هذا الرابط",
  expired: "يعمل الرابط مرة واحدة لمدة 10 دقائق، ولا يعمل إلا الأحدث.",
  startAgain: "إلى تسجيل الدخول",
};

export const newBrowser: Texts["newBrowser"] = {
  title: "أكّد هذا المتصفح",
  text: "أُدخلت كلمات مرور خاطئة كثيرة للعنوان {email}. قبل تسجيل الدخول هنا بكلمة مرورك، أدخل رمزًا من رسالة بريد.",
  send: "أرسل رمزًا",
};

export const upstream: Texts["upstream"] = {
  continueWith: (provider) => `المتابعة باستخدام ${provider}`,
  emailFirst: "أدخل بريدك الإلكتروني للمتابعة.",
  next: "متابعة",
  otherEmail: "استخدام بريد إلكتروني آخر",
  prove: (provider) =>
    `يوجد حساب بهذا البريد الإلكتروني بالفعل. سجّل الدخول إليه مرة واحدة، وبعدها يمكنك استخدام ${provider}.`,
  problems: {
    denied: (provider) => `أُلغي تسجيل الدخول باستخدام ${provider}.`,
    unreachable: (provider) =>
      `لا يمكننا الوصول إلى ${provider} الآن. حاول مرة أخرى بعد قليل، أو سجّل الدخول بطريقة أخرى.`,
    exchange_refused: (provider) => `أنهى ${provider} تسجيل الدخول. حاول مرة أخرى، أو سجّل الدخول بطريقة أخرى.`,
    sign_in_too_old: (provider) => `لم يؤكد ${provider} أنك سجّلت الدخول للتو. سجّل الدخول بطريقة أخرى.`,
    tenant_unknown: (provider) => `لا يمكنك استخدام حساب ${provider} هذا هنا. استخدم حساب مؤسستك.`,
    misconfigured: (provider) => `لم يُضبط تسجيل الدخول باستخدام ${provider} بشكل صحيح. سجّل الدخول بطريقة أخرى.`,
    other_domain: (provider) => `لا يمكنك استخدام حساب ${provider} هذا هنا. استخدم حساب مؤسستك.`,
    other_provider: () => "تسجّل مؤسستك الدخول بطريقة أخرى. أدخل بريد عملك الإلكتروني للمتابعة.",
    other_account: (provider) => `حساب ${provider} هذا غير مرتبط بحسابك. اختر حسابًا آخر.`,
    connected_elsewhere: (provider) => `حساب ${provider} هذا مرتبط بحساب آخر بالفعل.`,
    signed_out: () => "لقد سجّلت الخروج في هذه الأثناء. سجّل الدخول مرة أخرى.",
    email_unverified: (provider) =>
      `لم يؤكد ${provider} بريدك الإلكتروني. سجّل الدخول بطريقة أخرى، ثم اربط ${provider} من حسابك.`,
    no_account: (provider) => `لا يمكنك إنشاء حساب باستخدام ${provider} هنا. سجّل الدخول بطريقة أخرى، أو اطلب دعوة.`,
  },
  errorId: (id) => `معرّف الخطأ: ${id}`,
  unknown: "لا يمكننا إكمال تسجيل الدخول هذا",
  unknownText: "بدأ في متصفح آخر، أو استغرق وقتًا طويلًا، أو اكتمل بالفعل. ابدأ من جديد.",
  invalidText: (provider) => `لم يكن رد ${provider} صالحًا، لذلك لم يُسجَّل دخول أحد. ابدأ من جديد.`,
  startAgain: "البدء من جديد",
  title: "الحسابات المرتبطة",
  lead: "سجّل الدخول بحساب لديك بالفعل في مكان آخر.",
  connect: (provider) => `ربط ${provider}`,
  remove: "إزالة",
  removeLabel: (provider) => `إزالة ${provider}`,
  connectedSince: (when) => `رُبط ${when}`,
  lastUsed: (when) => `آخر استخدام ${when}`,
  switchedOff: "لا يمكن استخدامه لتسجيل الدخول حاليًا.",
  lastWayIn: "هذه هي الطريقة الوحيدة للدخول إلى حسابك. عيّن كلمة مرور أو أضف مفتاح مرور أولًا.",
  notices: {
    identity_connected: "تم ربط الحساب. يمكنك تسجيل الدخول به من الآن.",
    identity_removed: "تمت إزالة الارتباط.",
    identity_gone: "تغيّر هذا الارتباط. راجع القائمة أدناه.",
  },
  signedOut: "لقد سجّلت الخروج",
  stillSignedIn: (provider) => `ما زلت مسجّل الدخول إلى ${provider} في هذا المتصفح.`,
  alsoSignOut: (provider) => `تسجيل الخروج من ${provider} أيضًا`,
  signInAgain: "تسجيل الدخول مرة أخرى",
};

export const logout: Texts["logout"] = {
  title: "هل تريد تسجيل الخروج؟",
  text: "يريد {app} تسجيل خروجك. سيتم إبلاغ التطبيقات التي سجّلت الدخول إليها في هذا المتصفح.",
  textWithEmail: "يريد {app} تسجيل خروجك ({email}). سيتم إبلاغ التطبيقات التي سجّلت الدخول إليها في هذا المتصفح.",
  anApp: "تطبيق",
  stay: "البقاء مسجّل الدخول",
  submit: "تسجيل الخروج",
  doneTitle: "تم تسجيل خروجك",
  done: "انتهت جلستك في هذا المتصفح.",
  unverified: "لم نتحقق من التطبيق الذي أرسلك إلى هنا. تابع فقط إذا كنت تثق بهذا الموقع.",
  signInAgain: "تسجيل الدخول مرة أخرى",
  expired: "بقيت الصفحة مفتوحة مدة طويلة، أو سجّلت الدخول من جديد. لم يتغيّر شيء.",
  tryAgain: "إعادة المحاولة",
};
