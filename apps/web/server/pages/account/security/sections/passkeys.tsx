/** @jsxImportSource preact */
import { hasFreshSignIn, MAX_PASSKEYS } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import type { ComponentChildren } from "preact";
import { PasskeysSection } from "../../../../../views/account/security/passkeys.tsx";
import type { Visit } from "../../../../routing/visit.ts";
import { registrationCeremony } from "../../../passkeys/ceremonies.ts";
import { accountPasskeySignals } from "../../../passkeys/signals.ts";

/** The passkeys of /account/security. The button works at once for users who confirmed recently who they are. SN-03. */
export async function passkeysSection(visit: Visit<ActiveSession>, csrf: string): Promise<ComponentChildren> {
  const { session, app, frame } = visit;
  const { deps } = app;
  const account = await deps.people.findAccount(session.user.id);
  if (!account) return null;
  const passkeys = await deps.people.listPasskeys(account.id);
  const confirmed = await hasFreshSignIn(session, deps);
  return (
    <PasskeysSection
      texts={frame.texts.passkeys}
      locale={frame.locale}
      csrf={csrf}
      passkeys={passkeys}
      rpId={deps.accounts.passkeys?.rpId ?? null}
      hasRoom={passkeys.length < MAX_PASSKEYS}
      ceremony={confirmed ? await registrationCeremony(account, visit) : undefined}
      signals={accountPasskeySignals(account, passkeys, deps)}
      now={deps.now()}
    />
  );
}
