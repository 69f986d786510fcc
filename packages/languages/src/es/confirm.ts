import type { Texts } from "../texts.ts";

export const confirm: Texts["confirm"] = {
  title: "Confirma que eres tú",
  password: "Contraseña",
  submit: "Continuar",
  incorrect: "Contraseña incorrecta.",
  doneTitle: "Gracias, eres tú",
  done: "Continúa para hacer el cambio que pediste.",
  text: "Has iniciado sesión como {email}. Confirma que eres tú para continuar.",
  code: "Código de tu aplicación de autenticación o código de recuperación",
  other: "Confirmar de otra forma",
  incorrectCode: "Código incorrecto.",
};
