import { routesByDomain } from "@gatehouse/accounts";
import type { Continuation } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/route.ts";
import { toProviderOfDomain } from "./provider/domain.ts";
import { signInPage } from "./sign-in.tsx";

/** What follows an address: its provider (UP-10), the password page if the address was typed alone, or undefined to go on. */
export async function afterAddress(
  typed: { email: string; continuation: Continuation; keep: boolean },
  visit: Visit,
): Promise<Response | undefined> {
  const { app, form } = visit;
  const routed = await toProviderOfDomain(typed, visit);
  if (routed || form.has("password") || !routesByDomain(await app.deps.people.listSignInProviders())) return routed;
  return signInPage(visit, typed);
}
