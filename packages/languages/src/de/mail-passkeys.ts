import type { Texts } from "../texts.ts";

export const mailPasskeys: Texts["mailPasskeys"] = {
  addedSubject: "Ihrem Konto wurde ein Passkey hinzugefügt",
  added: "Ihrem Konto wurde ein Passkey hinzugefügt. Damit kann man sich anmelden.",
  removedSubject: "Ein Passkey wurde von Ihrem Konto entfernt",
  removed: "Ein Passkey wurde von Ihrem Konto entfernt. Damit kann man sich nicht mehr anmelden.",
  clonedSubject: "Eine Anmeldung mit einem Ihrer Passkeys wurde blockiert",
  cloned: "Eine Anmeldung mit einem Ihrer Passkeys wurde blockiert: Der Sicherheitsschlüssel wurde möglicherweise kopiert.",
  clonedAdvice:
    "Entfernen Sie diesen Passkey auf Ihrer Sicherheitsseite und fügen Sie einen neuen mit einem Sicherheitsschlüssel hinzu, dem Sie vertrauen.",
};
