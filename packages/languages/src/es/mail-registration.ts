import type { Texts } from "../texts.ts";

export const mailRegistration: Texts["mailRegistration"] = {
  codeSubject: (product) => `Tu código para ${product}`,
  typeCode: "Escribe este código en la ventana donde creaste tu cuenta. Funciona durante 10 minutos:",
  orOpen: "O abre este enlace en las próximas 24 horas.",
  confirmAddress: "Confirmar tu correo electrónico",
  takenSubject: (product) => `Ya tienes una cuenta en ${product}`,
  taken:
    "Alguien ha intentado crear una cuenta con este correo electrónico. Ya tienes una, así que no se ha creado nada. Inicia sesión con ella. Si has olvidado tu contraseña, puedes restablecerla en la página de inicio de sesión.",
  signIn: "Iniciar sesión",
  verifySubject: (product) => `Verifica tu correo electrónico para ${product}`,
  typeVerifyCode: "Escribe este código en la página donde lo pediste. Funciona durante 10 minutos:",
  verify: "Verificar correo electrónico",
  invitationSubject: (product) => `Invitación a ${product}`,
  invitation: (product) => `Te han invitado a crear una cuenta en ${product}. La invitación funciona una vez, durante 7 días.`,
  accept: "Aceptar la invitación",
  invitationIgnore: "Si no sabes quién te ha invitado, ignora este correo.",
  changeSubject: (product) => `Confirma tu nuevo correo electrónico para ${product}`,
  typeChangeCode: "Escribe este código en la página donde cambiaste tu correo electrónico. Funciona durante 10 minutos:",
  changeOrOpen:
    "O abre este enlace en las próximas 24 horas, en un navegador donde tengas la sesión iniciada. Hasta entonces tu cuenta conserva el correo anterior.",
  changeRequestedSubject: "Tu correo electrónico está a punto de cambiar",
  changeRequested:
    "Alguien que tiene la sesión iniciada en tu cuenta ha pedido cambiar su correo electrónico. Cambiará cuando se confirme el nuevo. Para impedirlo, cambia tu contraseña.",
  changedSubject: "Se ha cambiado tu correo electrónico",
  changed: "Se ha cambiado el correo electrónico de tu cuenta. A partir de ahora, inicia sesión con el nuevo.",
  undoText:
    "Si no has sido tú, deshazlo en las próximas 72 horas: se restaura tu correo anterior, se cierra la sesión en todos los dispositivos y eliges una contraseña nueva.",
  undo: "Deshacer el cambio",
  undoneSubject: "Se ha deshecho el cambio de tu correo electrónico",
  undone:
    "Se ha deshecho el cambio del correo electrónico de tu cuenta. El correo anterior vuelve a ser válido y se ha cerrado la sesión en todos los dispositivos.",
  deletionSubject: "Tu cuenta se va a eliminar",
  deletion: (when) =>
    `Tu cuenta está marcada para eliminarse y se ha cerrado la sesión en todos los dispositivos. Se eliminará definitivamente el ${when}.`,
  deletedSubject: "Se ha eliminado tu cuenta",
  deleted: "Se ha eliminado tu cuenta y todo su contenido.",
  restoreText: "Para conservarla, inicia sesión antes y elige Restaurar.",
  restoredSubject: "Se ha restaurado tu cuenta",
  restored: "Tu cuenta ya no está marcada para eliminarse. Inicia sesión para usarla.",
};
