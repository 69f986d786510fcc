import type { UpstreamServer } from "@gatehouse/accounts/testing/upstream";
import { expect } from "vitest";
import { type Agent, type Page, readable } from "./agent.ts";

/** Our client id at every provider of the tests. */
export const AT_UPSTREAM = "gatehouse-at-upstream";

/** The redirect to a provider that a form with this button leads to. */
export async function leave(agent: Agent, button: string, from = "/sign-in"): Promise<URL> {
  const page = await agent.post(await agent.open(from), { button });
  expect(page.status, readable(page)).toBe(303);
  return new URL(page.headers.get("location") ?? "", agent.origin);
}

/** The provider's answer to this request, with these claims. */
export function comeBack(
  agent: Agent,
  sent: URL,
  provider: UpstreamServer,
  claims: object = {},
  more: Record<string, string> = {},
): Promise<Page> {
  provider.forge({ claims: { nonce: sent.searchParams.get("nonce"), ...claims } });
  const to = new URL(sent.searchParams.get("redirect_uri") ?? "");
  const answer = new URLSearchParams({ code: "a-code", state: sent.searchParams.get("state") ?? "", ...more });
  return agent.open(`${to.pathname}?${answer}`);
}

/** Claims of a user with a verified address. */
export const verified = (email: string, sub = `sub of ${email}`) => ({
  sub,
  email,
  email_verified: true,
  name: "Ada Upstream",
});
