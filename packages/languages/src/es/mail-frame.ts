import type { Texts } from "../texts.ts";

export const mailFrame: Texts["mailFrame"] = {
  footer: (product, issuer) => `${product} ha enviado este correo automáticamente desde ${issuer}. Nadie lee las respuestas.`,
  copyLink: "O copia este enlace en tu navegador:",
  ignore: "Si no lo has pedido tú, puedes ignorar este correo.",
  time: "Hora",
  device: "Dispositivo",
  address: "Dirección IP",
  unknown: "Desconocido",
  notYou: "Si has sido tú, no tienes que hacer nada. Si no, revisa ahora la seguridad de tu cuenta.",
  reviewSecurity: "Revisar la seguridad",
};
