import type { Texts } from "../texts.ts";

export const invitation: Texts["invitation"] = {
  title: "Acepta tu invitación",
  text: "Crea tu cuenta para {email}.",
  name: "Nombre",
  password: "Contraseña",
  accept: "Aceptar invitación",
  withPasskey: "¿Prefieres una passkey?",
  acceptWithPasskey: "Aceptar con una passkey",
  withPasskeyText: "Tu dispositivo crea una y no necesitas contraseña.",
  otherTitle: "Tienes la sesión iniciada",
  otherText: "Esta invitación es para una cuenta distinta de {email}. Cierra la sesión y abre de nuevo el enlace.",
  signOut: "Cerrar sesión",
  takenText: "Ya existe una cuenta para {email}. Inicia sesión con ella; no necesitas la invitación.",
  signIn: "Iniciar sesión",
  deadTitle: "Esta invitación ya no funciona",
  deadText: "Ya se aceptó, se retiró o se sustituyó, o ha caducado. Pide una nueva.",
};
