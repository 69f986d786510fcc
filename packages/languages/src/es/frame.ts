import type { Texts } from "../en/index.ts";

export const layout: Texts["layout"] = {
  changeLanguage: "Cambiar idioma",
  terms: "Términos",
  privacy: "Privacidad",
  support: "Ayuda",
  signOut: "Cerrar sesión",
  signedInAs: "Sesión iniciada como",
  notYou: "¿No eres tú?",
  environments: { development: "desarrollo", staging: "preproducción", production: "producción" },
};

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

export const errors: Texts["errors"] = {
  invalid: "No podemos completar esta solicitud",
  failed: "Algo ha fallado",
  refused:
    "La aplicación que te envió aquí hizo una solicitud no válida. No se ha compartido nada con ella. Solo sus desarrolladores pueden corregirlo.",
  invalidRequest: "La aplicación hizo una solicitud no válida. No se ha compartido nada con ella.",
  denied: "Acceso denegado",
  nothingShared: "No se ha compartido nada con la aplicación.",
  leave: "No hemos verificado esta aplicación. Continúa solo si confías en {host}.",
  continueTo: (host: string) => `Continuar a ${host}`,
  expired: "Esta solicitud ha caducado",
  expiredText: "Ha tardado demasiado, o has iniciado sesión de nuevo. No se ha compartido nada.",
  goBack: "Vuelve a la aplicación que te envió aquí e inténtalo de nuevo.",
  restartText: "Empieza de nuevo para continuar.",
  restart: "Empezar de nuevo",
  account: "Ir a tu cuenta",
  home: "Ir a la página de inicio",
  signIn: "Ir al inicio de sesión",
  errorId: "Id. del error: {id}. Inclúyelo cuando te pongas en contacto con nosotros.",
  seeWhy: "Ver el motivo en la consola",
  method: (methods: string) => `Esta página solo acepta solicitudes ${methods}.`,
  reload: "Vuelve atrás, recarga la página e inténtalo de nuevo.",
  outOfDate: "Esta página ya no está al día",
  outOfDateText:
    "Desde que abriste esta página, en este navegador se abrió otro enlace o se inició sesión en otra cuenta. No se ha cambiado nada. Vuelve a abrir el enlace de tu correo o empieza de nuevo desde tu cuenta.",
  csrf: "Este formulario no se envió desde nuestra página, o la página estuvo abierta demasiado tiempo. Recárgala e inténtalo de nuevo.",
  cookiesLost:
    "Tu navegador ya no tenía las cookies de esta página, así que no se ha enviado nada. Inténtalo de nuevo. Si vuelve a aparecer este mensaje, permite las cookies de este sitio.",
  tooManyCookies: "Demasiadas cookies",
  tooManyCookiesText:
    "Tu navegador ha enviado más cookies de las que este sitio acepta, la mayoría de otros sitios del mismo dominio. Borra las cookies de este dominio en los ajustes del navegador, o usa una ventana privada, y vuelve a abrir la página.",
  internal: "Algo ha fallado por nuestra parte. Inténtalo de nuevo dentro de un momento.",
  unavailable: "El servicio está saturado o en mantenimiento. Inténtalo de nuevo dentro de un momento.",
  busy: "Ahora mismo hay demasiada actividad",
  busyText:
    "Demasiadas personas usan este servicio a la vez, así que no se ha hecho nada. Vuelve a intentarlo dentro de unos segundos.",
  notFound: "Página no encontrada",
  notFoundText: "No hay ninguna página en esta dirección. Puede que el enlace esté anticuado o incompleto.",
  tooMany: "Demasiados intentos",
  tooManyText: (wait: string) =>
    `Para proteger las cuentas, hemos hecho una pausa. Inténtalo de nuevo dentro de ${wait}.`,
};

export const formPost: Texts["formPost"] = {
  title: "Volviendo a la aplicación",
  text: "Si no ocurre nada, pulsa el botón.",
};
