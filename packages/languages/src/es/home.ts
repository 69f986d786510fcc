import type { Texts } from "../texts.ts";

export const home: Texts["home"] = {
  title: "Bienvenida",
  heading: (product: string) => `Te damos la bienvenida a ${product}`,
  text: "Inicia sesión para gestionar tu cuenta y las aplicaciones conectadas.",
  account: "Tu cuenta",
  signIn: "Iniciar sesión",
  console: "Abrir la consola",
  developers: "¿Desarrollas una aplicación? Consulta los {metadata}.",
  metadata: "metadatos del servidor",
};
