import type { Texts } from "../texts.ts";

export const mailPasswords: Texts["mailPasswords"] = {
  resetSubject: (product) => `Restablece tu contraseña de ${product}`,
  resetText: "Alguien, esperamos que tú, pidió restablecer la contraseña de tu cuenta. El botón funciona durante 30 minutos, una sola vez.",
  resetButton: "Elegir una contraseña nueva",
  noPasswordSubject: (product) => `Iniciar sesión en ${product}`,
  noPasswordText:
    "Alguien, esperamos que tú, pidió restablecer la contraseña de tu cuenta. No tiene ninguna: inicias sesión con una llave de acceso.",
  noPasswordRecovery:
    "Si ya no puedes usar tu llave de acceso, elige una contraseña con el botón de abajo. También necesitas uno de tus códigos de recuperación.",
  noPasswordHelp: "Si ya no puedes usar tu llave de acceso, pide ayuda a un administrador.",
  changedSubject: (product) => `Se cambió tu contraseña de ${product}`,
  changedText: "Se cambió la contraseña de tu cuenta. Se cerró la sesión en tus otros dispositivos.",
  resetDoneSubject: (product) => `Se restableció tu contraseña de ${product}`,
  resetDoneText:
    "La contraseña de tu cuenta se restableció por correo. Se cerró la sesión en todos los dispositivos y se desconectaron todas las aplicaciones.",
  browserSubject: (code) => `${code} es tu código para iniciar sesión`,
  browserText:
    "Se escribieron muchas contraseñas incorrectas para tu cuenta. Para iniciar sesión con tu contraseña en un navegador nuevo, escribe allí este código. Funciona durante 10 minutos.",
};
