import type { Texts } from "../texts.ts";

export const device: Texts["device"] = {
  title: "Conectar un dispositivo",
  text: "Escribe el código que muestra tu dispositivo.",
  code: "Código",
  submit: "Continuar",
  wrongCode: "Ese código es incorrecto o ha caducado. Comprueba el código en tu dispositivo, o empieza allí de nuevo para obtener otro.",
  confirmTitle: (app: string) => `¿Conectar ${app}?`,
  confirmHeading: "¿Conectar {app}?",
  confirmText: "Comprueba que tu dispositivo muestra este código.",
  warning:
    "Esto da a un dispositivo acceso a tu cuenta. Continúa solo si lo has empezado tú y tienes el dispositivo contigo. Si alguien te envió este código o enlace, elige Denegar.",
  requestedFrom: "Solicitado desde",
  requested: "Solicitado",
  approved: { title: "Dispositivo conectado", text: "Vuelve a tu dispositivo. Continuará en unos segundos." },
  denied: { title: "Acceso denegado", text: "El dispositivo no puede acceder a tu cuenta. Puedes cerrar esta página." },
  manageApps: "Gestionar las aplicaciones conectadas",
};
