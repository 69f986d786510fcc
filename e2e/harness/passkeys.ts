import { type Behaviour, newAuthenticator } from "@gatehouse/accounts/testing";
import type { Agent, Page } from "./agent.ts";
import { signIn } from "./flow.ts";

export type Authenticator = ReturnType<typeof newAuthenticator>;

/** The form of a ceremony on a page: the options for the browser, and the hidden fields. */
export function ceremonyOf(page: Page, kind: "create" | "get") {
  const form = page.document.querySelector(`form[data-passkey=${kind}]`);
  if (!form) throw new Error(`no passkey form (${kind}) on ${page.status} ${page.url}`);
  const field = (name: string) => form.querySelector(`input[name=${name}]`)?.getAttribute("value") ?? "";
  return {
    action: form.getAttribute("action") ?? "",
    button: form.querySelector("button")?.text.trim() ?? "",
    options: JSON.parse(decode(form.getAttribute("data-options") ?? "{}")),
    challenge: field("challenge"),
  };
}

const decode = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Adds a passkey to the account of a signed-in agent. */
export async function addPasskey(agent: Agent, authenticator: Authenticator, change: Behaviour = {}): Promise<Page> {
  const page = await agent.open("/account/security/passkeys");
  const { options, button } = ceremonyOf(page, "create");
  return agent.post(page, { button, override: { credential: authenticator.create(options, change) } });
}

/** Signs a user of the fixture in with the password, and adds a passkey. */
export async function enrol(
  issuer: string,
  name: string,
  defaults: Behaviour = {},
): Promise<{ agent: Agent; authenticator: Authenticator }> {
  const agent = await signIn(issuer, name);
  const authenticator = newAuthenticator(issuer, defaults);
  const added = await addPasskey(agent, authenticator);
  if (added.status !== 303) throw new Error(`passkey of ${name}: ${added.status}\n${added.text}`);
  return { agent, authenticator };
}

/** Posts an assertion to the sign-in page that `agent` opens. Follows no redirect. */
export async function passkeySignIn(agent: Agent, authenticator: Authenticator, change: Behaviour = {}): Promise<Page> {
  const page = await agent.open("/sign-in");
  const { options, button } = ceremonyOf(page, "get");
  return agent.post(page, { button, override: { credential: authenticator.get(options, change) } });
}
