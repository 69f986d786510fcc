import type { Texts } from "../texts.ts";

export const logout: Texts["logout"] = {
  title: "¿Cerrar sesión?",
  text: "{app} quiere cerrar tu sesión. Se avisará a las aplicaciones en las que iniciaste sesión en este navegador.",
  textWithEmail: "{app} quiere cerrar tu sesión ({email}). Se avisará a las aplicaciones en las que iniciaste sesión en este navegador.",
  anApp: "Una aplicación",
  stay: "Seguir con la sesión",
  submit: "Cerrar sesión",
  doneTitle: "Has cerrado la sesión",
  done: "Tu sesión en este navegador ha terminado.",
  unverified: "No hemos verificado la aplicación que te envió aquí. Continúa solo si confías en este sitio.",
  signInAgain: "Iniciar sesión de nuevo",
  expired: "La página estuvo abierta demasiado tiempo, o iniciaste sesión de nuevo. No ha cambiado nada.",
  tryAgain: "Reintentar",
};
