import type { Texts } from "../texts.ts";

export const scopes: Texts["scopes"] = {
  openid: "confirmar quién eres",
  profile: "ver tu nombre",
  email: "ver tu dirección de correo electrónico",
  address: "ver tu dirección postal",
  phone: "ver tu número de teléfono",
  offline_access: "conservar el acceso cuando no estés",
  "api:read": "leer tus datos a través de la API",
  "api:write": "cambiar tus datos a través de la API",
  "account:read": "ver dónde has iniciado sesión y qué aplicaciones tienen acceso",
  "account:write": "cerrar tus otras sesiones y retirar el acceso de aplicaciones",
};
