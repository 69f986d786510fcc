import type { Texts } from "../en/index.ts";

export const signUp: Texts["signUp"] = {
  title: "Crear una cuenta",
  continueTo: "para continuar en {app}",
  welcome: "Solo lleva un minuto.",
  name: "Nombre",
  email: "Correo electrónico",
  password: "Contraseña",
  submit: "Crear cuenta",
  withPasskey: "Registrarse con una llave de acceso",
  withPasskeyText:
    "Tu dispositivo la crea con tu huella, tu cara o el bloqueo de pantalla, y no necesitas contraseña.",
  haveAccount: "¿Ya tienes una cuenta?",
  signIn: "Iniciar sesión",
  emailInvalid: "Escribe una dirección de correo como nombre@example.com.",
  emailRefused: "No puedes crear una cuenta con ese correo electrónico. Prueba a iniciar sesión.",
  nameInvalid: "Escribe un nombre de hasta 80 caracteres, en una sola línea.",
  emailDomain: "No puedes crear una cuenta con un correo electrónico de ese dominio. Usa otro o pide una invitación.",
  closedTitle: "El registro está cerrado",
  closed: "Necesitas una invitación para crear una cuenta aquí.",
};

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

export const verifyEmail: Texts["verifyEmail"] = {
  title: "Revisa tu correo",
  sentTo: "Si {email} se puede usar aquí, hemos enviado un código a esa dirección. Funciona durante 10 minutos.",
  code: "Código",
  submit: "Verificar",
  resend: "Enviar otro código",
  resent: "Hemos enviado otro código. Los anteriores ya no funcionan.",
  otherAddress: "Usar otro correo electrónico",
  wrong: "El código no es correcto o ha caducado. Usa el correo más reciente o pide otro código.",
  confirmTitle: "Confirma tu correo electrónico",
  confirmText: "Pulsa el botón para confirmar {email}.",
  elsewhereTitle: "Termina de crear tu cuenta",
  elsewhereText:
    "Has abierto este enlace en un navegador distinto del que usaste al empezar. Para crear la cuenta de {email}, elige aquí tu nombre y tu contraseña.",
  createAccount: "Crear cuenta",
  name: "Nombre",
  password: "Contraseña",
  takeOverTitle: "Confirma tu correo electrónico",
  takeOverText: "Alguien creó una cuenta para {email}. Si fuiste tú, inicia sesión para confirmar la dirección.",
  signIn: "Iniciar sesión",
  notMine: "¿No es tu cuenta o has olvidado la contraseña?",
  notMineText:
    "Elige una contraseña nueva. Se elimina todo lo que había en la cuenta hasta ahora y se cierra la sesión en los demás dispositivos.",
  newPassword: "Contraseña nueva",
  setPassword: "Establecer contraseña",
  changeTitle: "Cambia tu correo electrónico",
  changeText: "Pulsa el botón para cambiar el correo electrónico de tu cuenta a {email}.",
  change: "Cambiar correo electrónico",
  changeSignIn: "Para cambiar el correo electrónico de tu cuenta a {email}, inicia sesión primero en esa cuenta.",
  undoTitle: "Deshacer el cambio",
  undoText:
    "{email} vuelve a ser el correo electrónico de tu cuenta, se cierra la sesión en todos los dispositivos y se eliminan las passkeys y otros métodos de acceso añadidos desde entonces. Después te enviamos un enlace para elegir una contraseña nueva.",
  undo: "Deshacer el cambio",
  undone: "El cambio se ha deshecho",
  undoneText:
    "Tu cuenta vuelve a tener su correo anterior. Revisa tu correo: encontrarás el enlace para elegir una contraseña nueva.",
  undonePasskey:
    "Tu cuenta vuelve a tener su correo anterior. Inicia sesión con tu llave de acceso. Si no puedes usarla, en tu correo encontrarás qué hacer.",
  deadTitle: "Este enlace ya no funciona",
  deadText: "Ya se usó, se sustituyó por uno más reciente o ha caducado.",
  takenTitle: "Ya tienes una cuenta",
  takenText: "Inicia sesión con tu correo electrónico. Si has olvidado tu contraseña, puedes restablecerla.",
  requiredTitle: "Verifica tu correo electrónico",
  required: "{app} necesita un correo electrónico verificado. Enviaremos un código a {email}.",
  sendCode: "Enviar código",
  banner: "Tu correo electrónico aún no está verificado.",
  bannerAction: "Verificar tu correo electrónico",
  unavailable:
    "El correo no está configurado en este servidor, así que no se puede verificar tu correo. Pide ayuda a un administrador.",
  verified: "Tu correo electrónico está verificado.",
};

export const email: Texts["email"] = {
  title: "Cambiar tu correo electrónico",
  current: "Inicias sesión con {email}.",
  newEmail: "Correo electrónico nuevo",
  submit: "Cambiar correo electrónico",
  sentTo:
    "Si {email} se puede usar, hemos enviado un código a esa dirección. Tu cuenta conserva el correo anterior hasta que escribas el código.",
  code: "Código",
  verify: "Verificar",
  startAgain: "Usar otro correo electrónico",
  invalid: "Escribe un correo electrónico como nombre@example.com.",
  same: "Ese ya es el correo electrónico de tu cuenta. Escribe otro.",
  domain: "Aquí no se pueden usar correos electrónicos de ese dominio.",
  cancelled: "Este cambio se sustituyó o se canceló. Empieza de nuevo.",
  unavailable:
    "El correo no está configurado en este servidor, así que no se pueden confirmar direcciones. Pide a un administrador que lo cambie.",
  changed: "Tu correo electrónico se ha cambiado. Se ha cerrado la sesión en tus otros dispositivos.",
};
