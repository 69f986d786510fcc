import type { Texts } from "../texts.ts";

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
  notices: {
    browser_confirmed: "Este navegador está confirmado. Introduce tu contraseña.",
    password_set: "Tu contraseña está lista. Inicia sesión con ella.",
    password_set_elsewhere: "Tu contraseña está lista. Vuelve al navegador en el que empezaste e inicia sesión allí para continuar.",
  },
};
