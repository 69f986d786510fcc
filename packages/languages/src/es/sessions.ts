import type { Texts } from "../texts.ts";

export const sessions: Texts["sessions"] = {
  title: "Dónde has iniciado sesión",
  text: "Si no reconoces una sesión, ciérrala y cambia tu contraseña.",
  browserOn: (browser: string, system: string) => `${browser} en ${system}`,
  unknownBrowser: "Navegador desconocido",
  thisDevice: "Este dispositivo",
  unknownAddress: "Dirección desconocida",
  signedIn: (ago: string) => `inicio de sesión ${ago}`,
  lastSeen: (ago: string) => `última actividad ${ago}`,
  methods: {
    password: "con tu contraseña",
    passkey: "con una llave de acceso",
    email_code: "con un código enviado por correo",
    upstream: (provider: string) => `con ${provider}`,
    sign_up: "al crear tu cuenta",
    invitation: "con una invitación",
  },
  end: "Cerrar la sesión",
  endOf: (browser: string) => `Cerrar la sesión de ${browser}`,
  endOthers: "Cerrar las demás sesiones",
  alsoApps: "Desconectar también todas las aplicaciones",
  notices: {
    session_ended: "Sesión cerrada.",
    others_ended: "Has cerrado las demás sesiones.",
    all_ended: "Has cerrado las demás sesiones y ninguna aplicación tiene acceso a tu cuenta.",
  },
};
