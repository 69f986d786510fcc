import { newAgent } from "./agent.ts";
import { CLIENTS, WEBHOOK_SCOPES } from "./fixture.ts";
import { obtainTokens, signIn } from "./flow.ts";
import { type Answer, json, send } from "./http.ts";

const CONSOLE_SCOPE = ["console:read", "console:write", ...WEBHOOK_SCOPES, "api:read", "api:write"].join(" ");

/** A console token of a user in the fixture. */
export async function consoleToken(issuer: string, name: string, scope = CONSOLE_SCOPE): Promise<string> {
  return (await obtainTokens(await signIn(issuer, name, newAgent(issuer)), CLIENTS.firstParty, { scope })).access;
}

const bearer = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` });

export function query(
  issuer: string,
  procedure: string,
  input: unknown,
  token?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const search = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  return send(issuer, `/trpc/${procedure}${search}`, { headers: { ...bearer(token), ...headers } });
}

export function mutate(
  issuer: string,
  procedure: string,
  input: unknown,
  token?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(issuer, `/trpc/${procedure}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...bearer(token), ...headers },
    body: JSON.stringify(input),
  });
}

/** The result of a procedure; fails the test on an error. */
export function dataOf<T>(answer: Answer): T {
  const { result } = json(answer) as { result?: { data: T } };
  if (result === undefined) throw new Error(`${answer.status} ${answer.text}`);
  return result.data;
}
