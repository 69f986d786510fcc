import { type Account, beginPasskeyRegistration, type ChosenWayIn, type PostedCeremony } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { describeBrowser } from "@gatehouse/ui/browser";
import type { Visit } from "../../routing/visit.ts";
import { actingBrowser } from "../account/request.ts";
import { browserOf } from "../cookies/sign-in.ts";

/** The fields that the script of a ceremony page fills in. Both are empty without scripts. */
export function postedCeremony(form: URLSearchParams): PostedCeremony {
  return { challenge: form.get("challenge") ?? "", credential: form.get("credential") ?? "" };
}

/** As {@link postedCeremony}, or undefined if the form has no passkey. */
export function postedPasskey(form: URLSearchParams): PostedCeremony | undefined {
  return form.has("credential") ? postedCeremony(form) : undefined;
}

/**
 * What the challenges of a signed-in page are bound to. The public id stays when the session gets a new secret. WA-05.
 */
const bindingOf = ({ session }: ActiveSession) => session.id;

/** The options to add a passkey; undefined if passkeys are off or the user has the most already. WA-03. */
export function registrationCeremony(account: Account, { session, app }: Visit<ActiveSession>) {
  return beginPasskeyRegistration(account, bindingOf(session), app.deps);
}

/** What {@link registrationCeremony} is verified with. */
export function postedRegistration(visit: Visit<ActiveSession>) {
  return { posted: postedCeremony(visit.form), browser: bindingOf(visit.session), by: actingBrowser(visit) };
}

/**
 * What a new user chose on a page that offers a password and a passkey. Undefined if the passkey is empty: the browser
 * runs no script.
 */
export function chosenWayIn(visit: Visit): ChosenWayIn | undefined {
  const { form, request } = visit;
  if (!form.has("challenge")) return { password: form.get("password") ?? "" };
  const posted = postedCeremony(form);
  if (posted.credential === "") return undefined;
  const fallbackName = describeBrowser(request.headers.get("user-agent"));
  return { passkey: { posted, browser: browserOf(visit) ?? "", fallbackName } };
}
