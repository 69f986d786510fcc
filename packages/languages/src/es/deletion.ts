import type { Texts } from "../texts.ts";

export const deletion: Texts["deletion"] = {
  title: "Eliminar tu cuenta",
  text: "Se cierra la sesión en todas partes y se desconectan todas las aplicaciones de inmediato.",
  grace: (days) => `Tu cuenta y todo su contenido se eliminan pasados ${days}. Hasta entonces puedes iniciar sesión y restaurarla.`,
  noGrace: "Tu cuenta y todo su contenido se eliminan de inmediato. No se puede deshacer.",
  submit: "Eliminar mi cuenta",
  cancel: "Conservar mi cuenta",
  lastAdmin: "Eres el último administrador que puede iniciar sesión. Nombra antes administrador a otra persona.",
  doneTitle: "Tu cuenta se va a eliminar",
  done: (when) =>
    `Se ha cerrado la sesión en todas partes. La cuenta se eliminará definitivamente el ${when}. Para conservarla, inicia sesión antes.`,
  goneTitle: "Tu cuenta se ha eliminado",
  gone: "Se ha cerrado la sesión en todas partes y se ha eliminado todo el contenido de tu cuenta.",
  back: "Volver a la cuenta",
  restoreTitle: "¿Restaurar tu cuenta?",
  restoreText: (when) => `Esta cuenta está marcada para eliminarse. Se eliminará definitivamente el ${when}.`,
  restore: "Restaurar",
  restored: "Tu cuenta se ha restaurado. Inicia sesión para usarla.",
  restoreDead: "Ha pasado demasiado tiempo. Inicia sesión de nuevo para restaurar tu cuenta.",
  exportTitle: "Descargar tus datos",
  exportText:
    "Un archivo JSON con tu perfil, los nombres de tus métodos de acceso, tus sesiones, aplicaciones conectadas y actividad. No contiene contraseñas ni claves.",
  exportSubmit: "Descargar mis datos",
};
