import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apply, ROOT } from "../harness/gatehouse.ts";

const LIBRARY = join(ROOT, "e2e/node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js");

export type SinglePageApp = { origin: string; clientId: string; stop: () => Promise<void> };

/** Starts a single-page app on another origin: static files, with oidc-client-ts in the page. */
export async function startSinglePageApp(issuer: string, env: Record<string, string>): Promise<SinglePageApp> {
  const library = await readFile(LIBRARY);
  const server = createServer((request, response) => {
    const script = request.url === "/oidc-client-ts.js";
    response.writeHead(200, { "content-type": script ? "text/javascript" : "text/html; charset=utf-8" });
    response.end(script ? library : page(issuer, clientId, origin));
  });
  const origin = await listen(server);
  const clientId = `single-page-app-${new URL(origin).port}`;
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-spa-"));
  await apply(registration(clientId, origin), folder, env);
  await rm(folder, { recursive: true });
  return {
    origin,
    clientId,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "localhost", () => {
      const address = server.address();
      resolve(`http://localhost:${address !== null && typeof address === "object" ? address.port : 0}`);
    });
  });
}

const registration = (clientId: string, origin: string) => ({
  applications: [
    {
      name: `Single-page app ${clientId}`,
      environments: {
        development: {
          client_id: clientId,
          type: "browser",
          redirect_uris: [`${origin}/callback`, `${origin}/silent`],
          post_logout_redirect_uris: [`${origin}/signed-out`],
          scopes: ["openid", "profile", "email", "offline_access", "api:read"],
        },
      },
    },
  ],
});

/** Every path is this page. The test uses its `manager`. */
const page = (issuer: string, clientId: string, origin: string) => `<!doctype html>
<html lang="en"><title>Single-page app</title><link rel="icon" href="data:,"><script src="/oidc-client-ts.js"></script>
<h1>Single-page app</h1><p role="status"></p>
<script>
  const manager = (scope) => new oidc.UserManager({
    authority: ${JSON.stringify(issuer)},
    client_id: ${JSON.stringify(clientId)},
    redirect_uri: ${JSON.stringify(`${origin}/callback`)},
    silent_redirect_uri: ${JSON.stringify(`${origin}/silent`)},
    post_logout_redirect_uri: ${JSON.stringify(`${origin}/signed-out`)},
    scope, loadUserInfo: true, revokeTokensOnSignout: true,
  });
  window.manager = manager;
  const say = (text) => { document.querySelector("[role=status]").textContent = text; };
  const any = manager("openid");
  if (location.pathname === "/callback") any.signinCallback().then((user) => say("signed in as " + user.profile.email), (error) => say("failed: " + error.message));
  if (location.pathname === "/silent") any.signinSilentCallback();
  if (location.pathname === "/signed-out") any.signoutCallback().then(() => say("signed out"), (error) => say("failed: " + error.message));
</script></html>`;
