import type { Texts } from "../texts.ts";

export const mailPeople: Texts["mailPeople"] = {
  roles: { admin: "Administrador", developer: "Desarrollador", viewer: "Lector", user: "Usuario" },
  roleSubject: (product) => `Tu rol en ${product} ha cambiado`,
  roleText: (role) => `Un administrador ha cambiado tu rol. Ahora es: ${role}.`,
  disabledSubject: (product) => `Tu cuenta de ${product} se ha desactivado`,
  disabledText: "Un administrador ha desactivado tu cuenta. No puedes iniciar sesión y se ha cerrado tu sesión en todos los dispositivos.",
  factorsSubject: (product) => `Se ha restablecido tu verificación en dos pasos de ${product}`,
  factorsText:
    "Un administrador ha eliminado tu aplicación de autenticación, tus códigos de recuperación y las llaves de acceso que acompañan a tu contraseña, y ha cerrado tu sesión en todos los dispositivos. Puedes configurarlos de nuevo después de iniciar sesión.",
  passwordSubject: (product) => `Elige una contraseña nueva para ${product}`,
  passwordText: "Un administrador te pide que elijas una contraseña nueva. Se te pedirá la próxima vez que inicies sesión.",
  setSubject: (product) => `Tu contraseña de ${product} ha cambiado`,
  setText: "Un administrador ha establecido una contraseña nueva para tu cuenta y ha cerrado tu sesión en todos los dispositivos.",
  firstSubject: (product) => `Tu cuenta de ${product} ya tiene contraseña`,
  firstText: "Un administrador ha añadido una contraseña a tu cuenta. Ya puedes iniciar sesión con ella.",
  testSubject: (product) => `Un correo de prueba de ${product}`,
  testText: (product) => `Los correos de ${product} te llegan. Has pedido este en la consola.`,
  questions: "Si no esperabas esto, ponte en contacto con tu administrador.",
};
