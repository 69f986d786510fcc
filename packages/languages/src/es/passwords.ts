import type { Texts } from "../en/index.ts";

export const password: Texts["password"] = {
  rule: (least) =>
    `Al menos ${least} caracteres: la longitud es lo que hace difícil adivinar una contraseña. Unas cuantas palabras al azar funcionan bien.`,
  show: "Mostrar la contraseña",
  problems: {
    missing: "Escribe una contraseña.",
    too_short: (least) => `Usa al menos ${least} caracteres. Unas cuantas palabras al azar son fáciles de recordar.`,
    too_long: (most) => `Usa como máximo ${most} caracteres.`,
    common:
      "Esta contraseña está en las listas que los atacantes prueban primero. Usa en su lugar unas cuantas palabras al azar.",
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

export const reset: Texts["reset"] = {
  title: "Restablecer la contraseña",
  text: "Escribe el correo electrónico de tu cuenta. Te enviaremos un enlace para elegir una contraseña nueva.",
  email: "Correo electrónico",
  send: "Enviar enlace",
  emailInvalid: "Escribe un correo electrónico como nombre@example.com.",
  sentTitle: "Revisa tu correo",
  sentText: "Si existe una cuenta para {email}, le hemos enviado un enlace. Funciona durante 30 minutos.",
  sentMore: "¿No te llegó? Mira en la carpeta de spam, o comprueba que es la dirección de tu cuenta.",
  again: "Probar con otra dirección",
  back: "Volver a iniciar sesión",
  off: "Este servidor no puede enviar correos. Pide a un administrador un enlace para crear una contraseña nueva.",
  newTitle: "Elige una contraseña nueva",
  newText: "Para tu cuenta {email}. Se cerrará la sesión en todas partes.",
  new: "Contraseña nueva",
  recoveryCode: "Código de recuperación",
  recoveryText:
    "Inicias sesión con una llave de acceso, así que también necesitamos uno de tus códigos de recuperación.",
  recoveryWrong: "Ese código de recuperación es incorrecto o ya se usó.",
  set: "Guardar contraseña",
  deadTitle: "Este enlace ya no funciona",
  deadText: "Ya se usó, tiene más de 30 minutos o se envió uno más reciente. Pide uno nuevo.",
  askAgain: "Enviar un enlace nuevo",
};
