import type { Texts } from "../texts.ts";

export const newBrowser: Texts["newBrowser"] = {
  title: "Confirma este navegador",
  text: "Se han introducido muchas contraseñas incorrectas para {email}. Antes de iniciar sesión aquí con tu contraseña, introduce un código que recibirás por correo.",
  send: "Enviar un código",
};
