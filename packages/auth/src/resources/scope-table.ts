/** What a scope allows, and which clients may request it. */
export type ScopeDefinition = {
  /** Completes the sentence "This will allow it to …". */
  description: string;
  /** The same in other languages, by their BCP 47 tag. A page in any other language has the English words. */
  translations?: Readonly<Record<string, string>>;
  /** `identity`: OpenID Connect's scopes · `api`: our own API · `account` and `console`: first-party clients only. */
  kind: "identity" | "api" | "account" | "console";
};

/** Scopes by name. */
export type ScopeTable = Readonly<Record<string, ScopeDefinition>>;

/** The scopes that Gatehouse defines. A product adds its own through `Config.scopes`. */
export const SCOPES = {
  openid: {
    description: "confirm who you are",
    translations: {
      de: "bestätigen, wer Sie sind",
      fr: "confirmer qui vous êtes",
      es: "confirmar quién eres",
      ar: "تأكيد هويتك",
    },
    kind: "identity",
  },
  profile: {
    description: "see your name, picture and language",
    translations: {
      de: "Ihren Namen, Ihr Bild und Ihre Sprache sehen",
      fr: "voir votre nom, votre photo et votre langue",
      es: "ver tu nombre, tu foto y tu idioma",
      ar: "رؤية اسمك وصورتك ولغتك",
    },
    kind: "identity",
  },
  email: {
    description: "see your email address",
    translations: {
      de: "Ihre E-Mail-Adresse sehen",
      fr: "voir votre adresse e-mail",
      es: "ver tu dirección de correo electrónico",
      ar: "رؤية عنوان بريدك الإلكتروني",
    },
    kind: "identity",
  },
  address: {
    description: "see your postal address",
    translations: {
      de: "Ihre Postanschrift sehen",
      fr: "voir votre adresse postale",
      es: "ver tu dirección postal",
      ar: "رؤية عنوانك البريدي",
    },
    kind: "identity",
  },
  phone: {
    description: "see your phone number",
    translations: {
      de: "Ihre Telefonnummer sehen",
      fr: "voir votre numéro de téléphone",
      es: "ver tu número de teléfono",
      ar: "رؤية رقم هاتفك",
    },
    kind: "identity",
  },
  offline_access: {
    description: "keep access while you are away",
    translations: {
      de: "den Zugriff behalten, während Sie nicht da sind",
      fr: "conserver l’accès en votre absence",
      es: "conservar el acceso cuando no estés",
      ar: "الاحتفاظ بالوصول أثناء غيابك",
    },
    kind: "identity",
  },
  "api:read": {
    description: "read your data through the API",
    translations: {
      de: "Ihre Daten über die API lesen",
      fr: "lire vos données par l’API",
      es: "leer tus datos a través de la API",
      ar: "قراءة بياناتك عبر واجهة البرمجة",
    },
    kind: "api",
  },
  "api:write": {
    description: "change your data through the API",
    translations: {
      de: "Ihre Daten über die API ändern",
      fr: "modifier vos données par l’API",
      es: "cambiar tus datos a través de la API",
      ar: "تغيير بياناتك عبر واجهة البرمجة",
    },
    kind: "api",
  },
  "account:read": {
    description: "see where you are signed in and which apps have access",
    translations: {
      de: "sehen, wo Sie angemeldet sind und welche Apps Zugriff haben",
      fr: "voir où vous êtes connecté et quelles applications ont accès",
      es: "ver dónde has iniciado sesión y qué aplicaciones tienen acceso",
      ar: "رؤية أماكن تسجيل دخولك والتطبيقات التي لديها إمكانية الوصول",
    },
    kind: "account",
  },
  "account:write": {
    description: "sign you out elsewhere and remove the access of apps",
    translations: {
      de: "Sie anderswo abmelden und Apps den Zugriff entziehen",
      fr: "vous déconnecter ailleurs et retirer l’accès d’applications",
      es: "cerrar tus otras sesiones y retirar el acceso de aplicaciones",
      ar: "تسجيل خروجك في أماكن أخرى وإلغاء وصول التطبيقات",
    },
    kind: "account",
  },
  "console:read": { description: "view applications, users and deliveries", kind: "console" },
  "console:write": { description: "manage applications, users and deliveries", kind: "console" },
  "webhooks:read": { description: "view webhook endpoints and deliveries", kind: "console" },
  "webhooks:reveal": { description: "see the content of webhook deliveries", kind: "console" },
  "webhooks:replay": { description: "run webhook handlers again", kind: "console" },
  "webhooks:configure": { description: "manage webhook endpoints and their secrets", kind: "console" },
} as const satisfies ScopeTable;
