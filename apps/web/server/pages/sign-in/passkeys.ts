import {
  type AccountDeps,
  type ActingBrowser,
  beginPasskeyRegistration,
  beginPasskeyStep,
  hasSameEpochs,
  type Passkey,
  type PasskeyProof,
  type Person,
  type PostedCeremony,
  provePasskey,
} from "@gatehouse/accounts";
import { type ActiveSession, OAuthError } from "@gatehouse/auth";
import type { Visit } from "../../routing/route.ts";
import { sourceOf } from "../account/frame.ts";

/** The fields that the script of a ceremony page fills in. Both are empty without scripts. */
export function postedCeremony(form: URLSearchParams): PostedCeremony {
  return { challenge: form.get("challenge") ?? "", credential: form.get("credential") ?? "" };
}

/** Who acts, for events and mails. */
export function actingBrowser(visit: Pick<Visit, "request" | "caller" | "frame">): ActingBrowser {
  return { source: sourceOf(visit), locale: visit.frame.locale };
}

/** What the challenges of a signed-in page are bound to. The public id stays when the session gets a new secret. WA-05. */
const bindingOf = ({ session }: ActiveSession) => session.id;

/** The account of the session. Throws if it was deleted, or the session's sign-in ended, a moment ago: a change would outlive a reset. §7. */
export async function personOf({ session, app }: Visit<ActiveSession>): Promise<Person> {
  const person = await app.deps.people.findPerson(session.user.id);
  if (person && hasSameEpochs(person, session.user)) return person;
  throw new OAuthError("invalid_request", "session_ended", "the session ended meanwhile, or its user is gone", { status: 401 });
}

/** The options to add a passkey; undefined if passkeys are off or the user has the most already. WA-03. */
export function registrationCeremony(person: Person, { session, app }: Visit<ActiveSession>) {
  return beginPasskeyRegistration(person, bindingOf(session), app.deps);
}

/** What {@link registrationCeremony} is verified with. */
export function postedRegistration(visit: Visit<ActiveSession>) {
  return { posted: postedCeremony(visit.form), browser: bindingOf(visit.session), by: actingBrowser(visit) };
}

/** The ceremony of /sign-in/confirm; undefined if the user has no passkey that works here. SN-03. */
export function confirmationCeremony({ session, app }: Visit<ActiveSession>) {
  return beginPasskeyStep({ purpose: "confirm", userId: session.user.id, browser: bindingOf(session) }, app.deps);
}

/** Verifies what {@link confirmationCeremony} asked for. */
export function proveConfirmation(visit: Visit<ActiveSession>): Promise<PasskeyProof> {
  const { session, form, app } = visit;
  const expected = { purpose: "confirm", userId: session.user.id, browser: bindingOf(session) } as const;
  return provePasskey(postedCeremony(form), expected, actingBrowser(visit), app.deps);
}

/** Lets the password manager forget a passkey that no account has. It deletes for good, so it is never sent for any other. WA-10. */
export function unknownPasskeySignals(credentialID: string | undefined, { accounts }: Pick<AccountDeps, "accounts">): readonly object[] {
  const rpID = accounts.passkeys?.rpId;
  return credentialID === undefined || rpID === undefined ? [] : [{ signalName: "unknownCredential", rpID, credentialID }];
}

/** Tells the password manager which passkeys the account has, and the names to show for it. On pages of signed-in users only. WA-10. */
export function accountPasskeySignals(
  { webauthnUserId, email, name }: Person,
  passkeys: readonly Passkey[],
  { accounts }: Pick<AccountDeps, "accounts">,
): readonly object[] {
  const rpID = accounts.passkeys?.rpId;
  if (rpID === undefined || webauthnUserId === null) return [];
  const allAcceptedCredentialIDs = passkeys.map(({ credentialId }) => credentialId);
  return [
    { signalName: "allAcceptedCredentials", rpID, userID: webauthnUserId, allAcceptedCredentialIDs },
    { signalName: "currentUserDetails", rpID, userID: webauthnUserId, userName: email, userDisplayName: name },
  ];
}
