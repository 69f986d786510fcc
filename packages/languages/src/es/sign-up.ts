import type { Texts } from "../texts.ts";

export const signUp: Texts["signUp"] = {
  title: "Crear una cuenta",
  continueTo: "para continuar en {app}",
  welcome: "Solo lleva un minuto.",
  name: "Nombre",
  email: "Correo electrónico",
  password: "Contraseña",
  passwordRule: "Al menos 15 caracteres. Unas cuantas palabras al azar funcionan bien.",
  submit: "Crear cuenta",
  haveAccount: "¿Ya tienes una cuenta?",
  signIn: "Iniciar sesión",
  emailInvalid: "Escribe una dirección de correo como nombre@example.com.",
  emailRefused: "No puedes crear una cuenta con ese correo electrónico. Prueba a iniciar sesión.",
  nameInvalid: "Escribe un nombre de hasta 80 caracteres, en una sola línea.",
  emailDomain: "No puedes crear una cuenta con un correo electrónico de ese dominio. Usa otro o pide una invitación.",
  closedTitle: "El registro está cerrado",
  closed: "Necesitas una invitación para crear una cuenta aquí.",
};
