import type { Texts } from "../en/index.ts";

export const signIn: Texts["signIn"] = {
  title: "Iniciar sesión",
  continueTo: "para continuar en {app}",
  welcome: "Nos alegra verte de nuevo.",
  alreadySignedIn: "Ya has iniciado sesión como {email}. Inicia sesión de nuevo aquí abajo o ve a {account}.",
  yourAccount: "tu cuenta",
  email: "Correo electrónico",
  password: "Contraseña",
  keepSignedIn: "Mantener la sesión iniciada",
  submit: "Iniciar sesión",
  forgotPassword: "¿Has olvidado la contraseña?",
  or: "o",
  newHere: "¿Es tu primera vez?",
  createAccount: "Crear una cuenta",
  incorrect: "Correo electrónico o contraseña incorrectos.",
  enterPassword: "Escribe tu contraseña.",
  notices: {
    browser_confirmed: "Este navegador está confirmado. Introduce tu contraseña.",
    password_set: "Tu contraseña está lista. Inicia sesión con ella.",
    password_set_elsewhere:
      "Tu contraseña está lista. Vuelve al navegador en el que empezaste e inicia sesión allí para continuar.",
  },
};

export const emailSignIn: Texts["emailSignIn"] = {
  button: "Enviarme un código por correo",
  title: "Revisa tu correo",
  sent: "Si existe una cuenta para {email}, hemos enviado un código. Vale durante 10 minutos.",
  code: "Código",
  continue: "Continuar",
  again: "Enviar un código nuevo",
  otherWay: "Iniciar sesión de otra forma",
  wrongCode: "El código no es correcto o ha caducado. Mira el correo más reciente o pide un código nuevo.",
  enterEmail: "Escribe primero tu dirección de correo.",
  linkTitle: "Iniciar sesión",
  linkText: "Continúa para iniciar sesión como {email}.",
  signIn: "Iniciar sesión",
  elsewhereTitle: "Escribe el código en la primera ventana",
  elsewhere: "Este enlace solo funciona en el navegador donde lo pediste. Escribe allí el código del correo.",
  expiredTitle: "Este enlace ha caducado",
  expired: "Un enlace funciona una vez, durante 10 minutos, y solo vale el más reciente.",
  startAgain: "Ir al inicio de sesión",
};

export const newBrowser: Texts["newBrowser"] = {
  title: "Confirma este navegador",
  text: "Se han introducido muchas contraseñas incorrectas para {email}. Antes de iniciar sesión aquí con tu contraseña, introduce un código que recibirás por correo.",
  send: "Enviar un código",
};

export const upstream: Texts["upstream"] = {
  continueWith: (provider) => `Continuar con ${provider}`,
  signInWith: (provider) => `Iniciar sesión con ${provider}`,
  emailFirst: "Escribe tu correo para continuar.",
  next: "Continuar",
  otherEmail: "Usar otro correo",
  prove: (provider) =>
    `Ya existe una cuenta con este correo. Inicia sesión en ella una vez y después podrás usar ${provider}.`,
  problems: {
    denied: (provider) => `Se canceló el inicio de sesión con ${provider}.`,
    unreachable: (provider) =>
      `Ahora mismo no podemos contactar con ${provider}. Inténtalo de nuevo en un momento o inicia sesión de otra forma.`,
    exchange_refused: (provider) =>
      `${provider} interrumpió el inicio de sesión. Inténtalo de nuevo o inicia sesión de otra forma.`,
    sign_in_too_old: (provider) => `${provider} no confirmó que acabas de iniciar sesión. Inicia sesión de otra forma.`,
    tenant_unknown: (provider) => `No puedes usar esta cuenta de ${provider} aquí. Usa la de tu organización.`,
    misconfigured: (provider) =>
      `El inicio de sesión con ${provider} no está bien configurado. Inicia sesión de otra forma.`,
    other_domain: (provider) => `No puedes usar esta cuenta de ${provider} aquí. Usa la de tu organización.`,
    other_provider: () => "Tu organización inicia sesión de otra forma. Escribe tu correo de trabajo para continuar.",
    other_account: (provider) => `Esta cuenta de ${provider} no está vinculada a tu cuenta. Elige otra.`,
    connected_elsewhere: (provider) => `Esta cuenta de ${provider} ya está vinculada a otra cuenta.`,
    signed_out: () => "Mientras tanto cerraste la sesión. Vuelve a iniciarla.",
    email_unverified: (provider) =>
      `${provider} no confirmó tu correo. Inicia sesión de otra forma y después vincula ${provider} en tu cuenta.`,
    no_account: (provider) =>
      `Aquí no puedes crear una cuenta con ${provider}. Inicia sesión de otra forma o pide una invitación.`,
  },
  errorId: (id) => `ID del error: ${id}`,
  unknown: "No podemos completar este inicio de sesión",
  unknownText: "Se empezó en otro navegador, tardó demasiado o ya se completó. Empieza de nuevo.",
  invalidText: (provider) =>
    `La respuesta de ${provider} no era válida, así que nadie inició sesión. Empieza de nuevo.`,
  startAgain: "Empezar de nuevo",
  title: "Cuentas vinculadas",
  lead: "Inicia sesión con una cuenta que ya tienes en otro sitio.",
  connect: (provider) => `Vincular ${provider}`,
  remove: "Quitar",
  removeLabel: (provider) => `Quitar ${provider}`,
  connectedSince: (when) => `Vinculada ${when}`,
  lastUsed: (when) => `último uso ${when}`,
  switchedOff: "De momento no sirve para iniciar sesión.",
  lastWayIn: "Es la única forma de entrar en tu cuenta. Crea antes una contraseña o añade una llave de acceso.",
  notices: {
    identity_connected: "La cuenta está vinculada. Ya puedes iniciar sesión con ella.",
    identity_removed: "Se quitó la vinculación.",
    identity_gone: "Esta vinculación ha cambiado. Revisa la lista.",
  },
  signedOut: "Has cerrado la sesión",
  stillSignedIn: (provider) => `Todavía tienes la sesión de ${provider} abierta en este navegador.`,
  alsoSignOut: (provider) => `Cerrar también la sesión de ${provider}`,
  signInAgain: "Volver a iniciar sesión",
};

export const logout: Texts["logout"] = {
  title: "¿Cerrar sesión?",
  text: "{app} quiere cerrar tu sesión. Se avisará a las aplicaciones en las que iniciaste sesión en este navegador.",
  textWithEmail:
    "{app} quiere cerrar tu sesión ({email}). Se avisará a las aplicaciones en las que iniciaste sesión en este navegador.",
  anApp: "Una aplicación",
  stay: "Seguir con la sesión",
  submit: "Cerrar sesión",
  doneTitle: "Has cerrado la sesión",
  done: "Tu sesión en este navegador ha terminado.",
  unverified: "No hemos verificado la aplicación que te envió aquí. Continúa solo si confías en este sitio.",
  signInAgain: "Iniciar sesión de nuevo",
  expired: "La página estuvo abierta demasiado tiempo, o iniciaste sesión de nuevo. No ha cambiado nada.",
  tryAgain: "Reintentar",
};
