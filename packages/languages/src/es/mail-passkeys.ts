import type { Texts } from "../texts.ts";

export const mailPasskeys: Texts["mailPasskeys"] = {
  addedSubject: "Se ha añadido una llave de acceso a tu cuenta",
  added: "Se ha añadido una llave de acceso a tu cuenta. Sirve para iniciar sesión.",
  removedSubject: "Se ha eliminado una llave de acceso de tu cuenta",
  removed: "Se ha eliminado una llave de acceso de tu cuenta. Ya no sirve para iniciar sesión.",
  clonedSubject: "Hemos bloqueado un inicio de sesión con una de tus llaves de acceso",
  cloned: "Hemos bloqueado un inicio de sesión con una de tus llaves de acceso: puede que alguien haya copiado su llave de seguridad.",
  clonedAdvice: "Elimina esa llave de acceso en tu página de seguridad y añade otra con una llave de seguridad en la que confíes.",
};
