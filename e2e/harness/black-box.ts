import Stripe from "stripe";
import { newAgent } from "./agent.ts";
import { CLIENTS, fixture, WEBHOOK_SECRETS } from "./fixture.ts";
import { callApi, obtainTokens, postAs, refresh, serviceToken, signIn, tokensOf } from "./flow.ts";
import { type Answer, json, send } from "./http.ts";

const { web, service, resourceServer } = CLIENTS;
const USED: readonly string[] = [web, service, resourceServer].map(({ client_id }) => client_id);

type Environments = Record<string, { client_id: string }>;

/** Of the fixture what `useEverything` needs, without the scopes of a product. */
export function neededFixture(): object {
  const { applications, ...rest } = fixture() as { applications: { environments: Environments }[] };
  const isUsed = ({ environments }: { environments: Environments }) =>
    Object.values(environments).every(({ client_id }) => USED.includes(client_id));
  return { ...rest, applications: applications.filter(isUsed) };
}

/**
 * Uses an installation with the fixture as its clients do, whatever is in front of it: signs a user in, gets tokens,
 * introspects, refreshes and revokes them, and delivers a webhook twice. Throws an error that names the first step
 * which answers otherwise than it must. `user`: of the fixture.
 */
export async function useEverything(issuer: string, user: string): Promise<void> {
  const metadata = await send(issuer, "/.well-known/openid-configuration");
  demand("metadata", json(metadata)["issuer"] === issuer, metadata);
  const agent = await signIn(issuer, user, newAgent(issuer));
  const tokens = await obtainTokens(agent, web);
  demand("the API", (await callApi(issuer, tokens.access)).status === 200);
  demand("introspection", await isActive(issuer, tokens.access));
  const refreshed = await refresh(issuer, web, tokens.refresh);
  demand("refresh", refreshed.status === 200, refreshed);
  await postAs(issuer, "/revoke", web, { token: tokensOf(refreshed).refresh });
  demand("revocation", !(await isActive(issuer, tokensOf(refreshed).access)));
  await serviceToken(issuer, service);
  const payload = JSON.stringify({ id: `evt_${user}_${Date.now()}`, object: "event", type: "invoice.paid" });
  for (const expected of [{ received: true }, { received: true, duplicate: true }]) {
    const answer = await deliver(issuer, payload);
    demand("webhook", JSON.stringify(json(answer)) === JSON.stringify(expected), answer);
  }
}

async function isActive(issuer: string, token: string): Promise<boolean> {
  return json(await postAs(issuer, "/introspect", resourceServer, { token }))["active"] === true;
}

function deliver(issuer: string, payload: string): Promise<Answer> {
  const signature = new Stripe("sk_test_never_used").webhooks.generateTestHeaderString({
    payload,
    secret: WEBHOOK_SECRETS.stripe,
  });
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  return send(issuer, "/api/webhooks/stripe", { method: "POST", headers, body: payload });
}

function demand(step: string, isRight: boolean, answer?: Answer): void {
  if (!isRight) throw new Error(`${step}: ${answer ? `${answer.status} ${answer.text.slice(0, 500)}` : "wrong"}`);
}
