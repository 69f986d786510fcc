import type { Texts } from "../texts.ts";

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
