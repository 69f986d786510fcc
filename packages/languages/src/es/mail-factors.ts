import { plural } from "../amounts.ts";
import type { Texts } from "../texts.ts";

export const mailFactors: Texts["mailFactors"] = {
  totp_on: {
    subject: (product) => `La verificación en dos pasos está activada en ${product}`,
    happened:
      "Se configuró una aplicación de autenticación para tu cuenta. Cada inicio de sesión con tu contraseña pedirá ahora un código.",
  },
  totp_off: {
    subject: (product) => `Se quitó tu aplicación de autenticación de ${product}`,
    happened: "Se quitó la aplicación de autenticación de tu cuenta.",
  },
  recovery_codes_made: {
    subject: (product) => `Códigos de recuperación nuevos para ${product}`,
    happened: "Se crearon códigos de recuperación nuevos para tu cuenta. Los anteriores ya no funcionan.",
  },
  recovery_code_used: {
    subject: (product) => `Se usó un código de recuperación en ${product}`,
    happened: "Alguien inició sesión en tu cuenta con un código de recuperación.",
    left: (left) =>
      plural(left, "es", { one: `Te queda ${left} código de recuperación.`, other: `Te quedan ${left} códigos de recuperación.` }),
  },
  new_sign_in: {
    subject: (product) => `Nuevo inicio de sesión en ${product}`,
    happened: "Alguien inició sesión en tu cuenta desde un navegador que no conocíamos.",
  },
};
