import type { Texts } from "../en/index.ts";

export const consent: Texts["consent"] = {
  title: (app: string) => `¿Permitir ${app}?`,
  heading: "{app} quiere acceder a tu cuenta",
  redirect: "Se te redirigirá a {host}.",
  unverified:
    "No podemos comprobar que sea realmente {app}: cualquier programa de tu dispositivo puede hacerse pasar por esa aplicación. Continúa solo si acabas de abrirla tú.",
  selfRegistered: "Esta aplicación se registró por su cuenta y no la hemos verificado. Su nombre puede ser engañoso.",
  selfDescribed: "Esta aplicación se describe a sí misma en {host}. No la hemos verificado.",
  onThisDevice: "Se ejecuta en este dispositivo, donde cualquier programa puede hacerse pasar por {app}.",
  onlyIfStarted: "Continúa solo si acabas de empezar esto tú.",
  allowsAccount: "Esto le permitirá ver que tienes una cuenta",
  allowsAlso: "Esto también le permitirá",
  allows: "Esto le permitirá",
  allowedAlready: "Ya le permites",
  deny: "Denegar",
  allow: "Permitir",
  revokeAnyTime: "Puedes revocar el acceso en cualquier momento en {account}.",
  yourAccount: "tu cuenta",
  testRun: "Ejecución de prueba",
  testRunText:
    "Has iniciado esto en la consola para probar {app}. Lo que permitas no se recuerda y termina con la prueba.",
};

export const device: Texts["device"] = {
  title: "Conectar un dispositivo",
  text: "Escribe el código que muestra tu dispositivo.",
  code: "Código",
  submit: "Continuar",
  wrongCode:
    "Ese código es incorrecto o ha caducado. Comprueba el código en tu dispositivo, o empieza allí de nuevo para obtener otro.",
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
