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
  passkeyText: "Has iniciado sesión como {email}. Confirma que eres tú con tu llave de acceso para continuar.",
  elsewhere:
    "¿Tu llave de acceso está en otro dispositivo? Pulsa el botón y elige un teléfono u otro dispositivo en la ventana del navegador. O haz este cambio en un dispositivo que tenga tu llave de acceso.",
  lost: "No tienes códigos de recuperación. Si has perdido tu llave de acceso, pide ayuda a un administrador.",
};
