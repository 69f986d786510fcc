import { randomBytes } from "node:crypto";
import { issuer } from "./stage.ts";

/** Creates an application with a development client in the console, and returns its client id. */
export async function newClient(page: import("@playwright/test").Page, redirectUri: string): Promise<string> {
  const name = `Failing shop ${randomBytes(4).toString("hex")}`;
  const answer = await page.evaluate(
    async ([applicationName, uri]) => {
      const post = async (procedure: string, input: object) => {
        const response = await fetch(`/api/trpc/${procedure}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(input),
        });
        return (await response.json()) as { result: { data: { id: string; client: { clientId: string } } } };
      };
      const { id } = (await post("applications.create", { name: applicationName, description: "" })).result.data;
      const draft = { applicationId: id, environment: "development", type: "web", redirectUris: [uri], scopes: ["openid"] };
      return (await post("clients.register", { ...draft, grantTypes: ["authorization_code"] })).result.data.client.clientId;
    },
    [name, redirectUri] as const,
  );
  return answer;
}

/** Sends an authorization request with this redirect URI, as a browser would, and returns the error id of the page. */
export async function refusedAuthorization(clientId: string, redirectUri: string): Promise<string> {
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, response_type: "code" });
  const response = await fetch(`${issuer}/authorize?${query}`, { headers: { accept: "text/html" } });
  return /<code>([0-9A-Z]{10})<\/code>/.exec(await response.text())?.[1] ?? "";
}
