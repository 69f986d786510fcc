import type { Texts } from "../texts.ts";

export const mailSignIn: Texts["mailSignIn"] = {
  subject: (product) => `Tu código de acceso a ${product}`,
  typeCode: "Escribe este código en la ventana donde lo pediste:",
  orOpen: "O abre este enlace en el mismo navegador. Ambos funcionan una vez, durante 10 minutos.",
  signIn: "Iniciar sesión",
};
