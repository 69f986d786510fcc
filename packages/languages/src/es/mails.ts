import { plural } from "../amounts.ts";
import type { Texts } from "../en/index.ts";

export const mailFrame: Texts["mailFrame"] = {
  footer: (product, issuer) =>
    `${product} ha enviado este correo automáticamente desde ${issuer}. Nadie lee las respuestas.`,
  copyLink: "O copia este enlace en tu navegador:",
  ignore: "Si no lo has pedido tú, puedes ignorar este correo.",
  time: "Hora",
  device: "Dispositivo",
  address: "Dirección IP",
  unknown: "Desconocido",
  notYou: "Si has sido tú, no tienes que hacer nada. Si no, revisa ahora la seguridad de tu cuenta.",
  reviewSecurity: "Revisar la seguridad",
};

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
  invitation: (product) =>
    `Te han invitado a crear una cuenta en ${product}. La invitación funciona una vez, durante 7 días.`,
  invitationBy: (inviter, product) =>
    `${inviter} te invita a crear una cuenta en ${product}. La invitación funciona una vez, durante 7 días.`,
  accept: "Aceptar la invitación",
  invitationIgnore: "Si no sabes quién te ha invitado, ignora este correo.",
  changeSubject: (product) => `Confirma tu nuevo correo electrónico para ${product}`,
  typeChangeCode:
    "Escribe este código en la página donde cambiaste tu correo electrónico. Funciona durante 10 minutos:",
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

export const mailSignIn: Texts["mailSignIn"] = {
  subject: (product) => `Tu código de acceso a ${product}`,
  typeCode: "Escribe este código en la ventana donde lo pediste:",
  orOpen: "O abre este enlace en el mismo navegador. Ambos funcionan una vez, durante 10 minutos.",
  signIn: "Iniciar sesión",
};

export const mailPasswords: Texts["mailPasswords"] = {
  resetSubject: (product) => `Restablece tu contraseña de ${product}`,
  resetText:
    "Alguien, esperamos que tú, pidió restablecer la contraseña de tu cuenta. El botón funciona durante 30 minutos, una sola vez.",
  resetButton: "Elegir una contraseña nueva",
  noPasswordSubject: (product) => `Iniciar sesión en ${product}`,
  noPasswordText:
    "Alguien, esperamos que tú, pidió restablecer la contraseña de tu cuenta. No tiene ninguna: inicias sesión con una llave de acceso.",
  noPasswordRecovery:
    "Si ya no puedes usar tu llave de acceso, elige una contraseña con el botón de abajo. También necesitas uno de tus códigos de recuperación.",
  noPasswordHelp: "Si ya no puedes usar tu llave de acceso, pide ayuda a un administrador.",
  changedSubject: (product) => `Se cambió tu contraseña de ${product}`,
  changedText: "Se cambió la contraseña de tu cuenta. Se cerró la sesión en tus otros dispositivos.",
  resetDoneSubject: (product) => `Se restableció tu contraseña de ${product}`,
  resetDoneText:
    "La contraseña de tu cuenta se restableció por correo. Se cerró la sesión en todos los dispositivos y se desconectaron todas las aplicaciones.",
  browserSubject: (code) => `${code} es tu código para iniciar sesión`,
  browserText:
    "Se escribieron muchas contraseñas incorrectas para tu cuenta. Para iniciar sesión con tu contraseña en un navegador nuevo, escribe allí este código. Funciona durante 10 minutos.",
};

export const mailPasskeys: Texts["mailPasskeys"] = {
  addedSubject: "Se ha añadido una llave de acceso a tu cuenta",
  added: "Se ha añadido una llave de acceso a tu cuenta. Sirve para iniciar sesión.",
  removedSubject: "Se ha eliminado una llave de acceso de tu cuenta",
  removed: "Se ha eliminado una llave de acceso de tu cuenta. Ya no sirve para iniciar sesión.",
  clonedSubject: "Hemos bloqueado un inicio de sesión con una de tus llaves de acceso",
  cloned:
    "Hemos bloqueado un inicio de sesión con una de tus llaves de acceso: puede que alguien haya copiado su llave de seguridad.",
  clonedAdvice:
    "Elimina esa llave de acceso en tu página de seguridad y añade otra con una llave de seguridad en la que confíes.",
};

export const mailFactors: Texts["mailFactors"] = {
  totp_on: {
    subject: (product) => `La verificación en dos pasos está activada en ${product}`,
    happened:
      "Se configuró una aplicación de autenticación para tu cuenta. Cada inicio de sesión con tu contraseña pedirá ahora un código.",
  },
  totp_off: {
    subject: (product) => `Se quitó tu aplicación de autenticación de ${product}`,
    happened: "Se quitó la aplicación de autenticación de tu cuenta.",
  },
  recovery_codes_made: {
    subject: (product) => `Códigos de recuperación nuevos para ${product}`,
    happened: "Se crearon códigos de recuperación nuevos para tu cuenta. Los anteriores ya no funcionan.",
  },
  recovery_code_used: {
    subject: (product) => `Se usó un código de recuperación en ${product}`,
    happened: "Alguien inició sesión en tu cuenta con un código de recuperación.",
    left: (left) =>
      plural(left, "es", {
        one: `Te queda ${left} código de recuperación.`,
        other: `Te quedan ${left} códigos de recuperación.`,
      }),
  },
  new_sign_in: {
    subject: (product) => `Nuevo inicio de sesión en ${product}`,
    happened: "Alguien inició sesión en tu cuenta desde un navegador que no conocíamos.",
  },
};

export const mailUpstream: Texts["mailUpstream"] = {
  linkedSubject: (provider) => `${provider} se ha vinculado a tu cuenta`,
  linked: (provider, product) => `Ahora se puede iniciar sesión en tu cuenta de ${product} con ${provider}.`,
  removedSubject: (provider) => `${provider} se ha quitado de tu cuenta`,
  removed: (provider, product) => `Ya no se puede iniciar sesión en tu cuenta de ${product} con ${provider}.`,
};

export const mailPeople: Texts["mailPeople"] = {
  roles: { admin: "Administrador", developer: "Desarrollador", viewer: "Lector", user: "Usuario" },
  roleSubject: (product) => `Tu rol en ${product} ha cambiado`,
  roleText: (role) => `Un administrador ha cambiado tu rol. Ahora es: ${role}.`,
  disabledSubject: (product) => `Tu cuenta de ${product} se ha desactivado`,
  disabledText:
    "Un administrador ha desactivado tu cuenta. No puedes iniciar sesión y se ha cerrado tu sesión en todos los dispositivos.",
  factorsSubject: (product) => `Se ha restablecido tu verificación en dos pasos de ${product}`,
  factorsText:
    "Un administrador ha eliminado tu aplicación de autenticación, tus códigos de recuperación y las llaves de acceso que acompañan a tu contraseña, y ha cerrado tu sesión en todos los dispositivos. Puedes configurarlos de nuevo después de iniciar sesión.",
  passwordSubject: (product) => `Elige una contraseña nueva para ${product}`,
  passwordText:
    "Un administrador te pide que elijas una contraseña nueva. Se te pedirá la próxima vez que inicies sesión.",
  setSubject: (product) => `Tu contraseña de ${product} ha cambiado`,
  setText:
    "Un administrador ha establecido una contraseña nueva para tu cuenta y ha cerrado tu sesión en todos los dispositivos.",
  firstSubject: (product) => `Tu cuenta de ${product} ya tiene contraseña`,
  firstText: "Un administrador ha añadido una contraseña a tu cuenta. Ya puedes iniciar sesión con ella.",
  testSubject: (product) => `Un correo de prueba de ${product}`,
  testText: (product) => `Los correos de ${product} te llegan. Has pedido este en la consola.`,
  questions: "Si no esperabas esto, ponte en contacto con tu administrador.",
};
