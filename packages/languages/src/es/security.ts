import type { Texts } from "../texts.ts";

export const security: Texts["security"] = {
  title: "Seguridad",
  text: "Cómo inicias sesión y qué protege tu cuenta.",
  notices: {
    password_changed: "Contraseña cambiada. Se cerró la sesión en todos los demás dispositivos.",
  },
};
