import type { Texts } from "../texts.ts";

export const password: Texts["password"] = {
  rule: (least) => `Al menos ${least} caracteres. Unas cuantas palabras al azar funcionan bien.`,
  problems: {
    missing: "Escribe una contraseña.",
    too_short: (least) => `Usa al menos ${least} caracteres. Unas cuantas palabras al azar son fáciles de recordar.`,
    too_long: (most) => `Usa como máximo ${most} caracteres.`,
    common: "Esta contraseña está en las listas que los atacantes prueban primero. Usa en su lugar unas cuantas palabras al azar.",
    personal:
      "Tu contraseña no puede ser tu nombre, tu correo electrónico ni el nombre de una aplicación. Usa en su lugar unas cuantas palabras al azar.",
    repetition: "Esta contraseña repite un texto corto. Usa en su lugar unas cuantas palabras al azar.",
    run: "Esta contraseña es una serie de letras, números o teclas vecinas. Usa en su lugar unas cuantas palabras al azar.",
    breached:
      "Esta contraseña apareció en una filtración de datos y los atacantes la prueban. Usa en su lugar unas cuantas palabras al azar.",
    same: "Esta es tu contraseña actual. Elige otra.",
  },
  title: "Cambiar la contraseña",
  text: "Se cierra la sesión en tus otros dispositivos.",
  setTitle: "Crear una contraseña",
  setText: "Tu cuenta aún no tiene contraseña. Con una contraseña también podrás iniciar sesión con ella.",
  current: "Contraseña actual",
  new: "Contraseña nueva",
  disconnectApps: "Desconectar también las aplicaciones",
  change: "Cambiar la contraseña",
  set: "Crear contraseña",
  currentWrong: "La contraseña actual es incorrecta.",
  section: "Contraseña",
  lastChanged: (ago) => `Cambiada ${ago}.`,
  unchanged: "Inicias sesión con tu contraseña.",
  none: "Tu cuenta no tiene contraseña.",
  mustChangeTitle: "Elige una contraseña nueva",
  mustChangeText: "Antes de continuar, elige una contraseña nueva para {email}.",
  mustChangeLate: "Se agotó el tiempo. Inicia sesión de nuevo.",
};
