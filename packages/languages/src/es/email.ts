import type { Texts } from "../texts.ts";

export const email: Texts["email"] = {
  title: "Cambiar tu correo electrónico",
  current: "Inicias sesión con {email}.",
  newEmail: "Correo electrónico nuevo",
  submit: "Cambiar correo electrónico",
  sentTo:
    "Si {email} se puede usar, hemos enviado un código a esa dirección. Tu cuenta conserva el correo anterior hasta que escribas el código.",
  code: "Código",
  verify: "Verificar",
  startAgain: "Usar otro correo electrónico",
  invalid: "Escribe un correo electrónico como nombre@example.com.",
  same: "Ese ya es el correo electrónico de tu cuenta. Escribe otro.",
  domain: "Aquí no se pueden usar correos electrónicos de ese dominio.",
  cancelled: "Este cambio se sustituyó o se canceló. Empieza de nuevo.",
  unavailable:
    "El correo no está configurado en este servidor, así que no se pueden confirmar direcciones. Pide a un administrador que lo cambie.",
  changed: "Tu correo electrónico se ha cambiado. Se ha cerrado la sesión en tus otros dispositivos.",
};
