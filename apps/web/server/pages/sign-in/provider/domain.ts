import { type FirstFactor, normaliseEmail, type Person, providerForAddress, providerInsteadOf, readPendingLink } from "@gatehouse/accounts";
import type { Continuation } from "../../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../../routing/route.ts";
import { goToProvider } from "./departure.tsx";

type Typed = { email: string; continuation: Continuation; keep: boolean };

/** Sends an address whose domain belongs to a provider there, whatever the password, and whether or not there is an account. UP-10. */
export async function toProviderOfDomain({ email, continuation, keep }: Typed, visit: Visit): Promise<Response | undefined> {
  const address = normaliseEmail(email);
  if (address === undefined) return undefined;
  const { people } = visit.app.deps;
  const provider = providerForAddress(address, await people.listSignInProviders());
  const waiting = provider && waitingIdentity(visit);
  // UP-08: the account with this address has to be signed in to once more, before the identity is connected.
  if (waiting?.identity.provider === provider?.id && waiting && (await people.findPerson(waiting.userId))?.email === address)
    return undefined;
  return provider && goToProvider(provider.id, { ...continuation, keep, loginHint: address }, visit);
}

/** Sends a user whose address belongs to a provider's domain there, after any first factor that came from elsewhere. UP-10. */
export async function toProviderInstead(
  person: Person,
  factor: FirstFactor,
  { continuation, keep }: Omit<Typed, "email">,
  visit: Visit,
): Promise<Response | undefined> {
  const waiting = waitingIdentity(visit);
  const connects = waiting?.userId === person.id ? waiting.identity.provider : undefined;
  const provider = providerInsteadOf(factor, person, await visit.app.deps.people.listSignInProviders(), connects);
  return provider && goToProvider(provider.id, { ...continuation, keep, loginHint: person.email }, visit);
}

const waitingIdentity = ({ request, app }: Visit) => readPendingLink(request.headers.get("cookie"), app.deps);
