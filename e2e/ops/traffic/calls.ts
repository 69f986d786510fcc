import { TOKEN_EXCHANGE } from "../../harness/fixture.ts";
import { CLIENTS } from "../fleet/fixture.ts";
import { type Call, type Client, formCall } from "./client.ts";
import { tokensIn } from "./ledger.ts";

/** The request of a service for a token: one write. */
export const TOKEN: Call = formCall("/token", { grant_type: "client_credentials" }, CLIENTS.service);

/** An access token for calls of the API. Throws if there is none. */
export async function accessToken(client: Client): Promise<string> {
  const reply = await client.send(TOKEN);
  const token = "text" in reply && reply.status === 200 ? tokensIn(reply.text).access : undefined;
  if (token === undefined) throw new Error(`no token: ${reply.status}`);
  return token;
}

export const introspectionOf = (token: string): Call => formCall("/introspect", { token }, CLIENTS.service);

export const apiCall = (token: string): Call => ({
  path: "/api/resource",
  headers: { authorization: `Bearer ${token}` },
});

/** The request of a service for another token in exchange for this one: several reads and a write. */
export const exchangeOf = (token: string): Call =>
  formCall(
    "/token",
    {
      grant_type: TOKEN_EXCHANGE,
      subject_token: token,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    },
    CLIENTS.service,
  );
