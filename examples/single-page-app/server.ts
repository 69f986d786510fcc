// Serves the app's files. Any static host does; what matters is the content security policy.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const { ISSUER = "http://localhost:3000", CLIENT_ID = "example-single-page-app", PORT = "4400" } = process.env;
const library = createRequire(import.meta.url)
  .resolve("oidc-client-ts")
  .replace(/dist[\\/].*/, "dist/browser/oidc-client-ts.min.js");
const here = (file: string) => new URL(file, import.meta.url);

const FILES: Record<string, [type: string, file: string | URL]> = {
  "/app.js": ["text/javascript", here("app.js")],
  "/style.css": ["text/css", here("style.css")],
  "/oidc-client-ts.js": ["text/javascript", library],
};

/**
 * Tokens in a browser are as safe as the scripts of their page: only our own files run, and they reach only us and
 * Gatehouse.
 */
const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ${ISSUER}; frame-ancestors 'none'; base-uri 'none'`;

createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  response.setHeader("content-security-policy", POLICY);
  response.setHeader("x-content-type-options", "nosniff");
  if (pathname === "/settings.json") {
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify({ issuer: ISSUER, clientId: CLIENT_ID }));
  }
  // Every other path is the app
  const [type, file] = FILES[pathname] ?? ["text/html; charset=utf-8", here("index.html")];
  response.setHeader("content-type", type);
  return response.end(await readFile(file));
}).listen(Number(PORT), "localhost", () =>
  console.log(`A single-page app at http://localhost:${PORT}, signing in at ${ISSUER}`),
);
