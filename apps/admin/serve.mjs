import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { rootFolder } from "@gatehouse/runtime/distribution";
import { drain } from "@gatehouse/runtime/drain";
import { createLimitedServer } from "@gatehouse/runtime/limited-server";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { onReload } from "@gatehouse/runtime/reload";
import { onStop, readPatience } from "@gatehouse/runtime/stop";
import { readTlsFiles, reloadCertificates } from "@gatehouse/runtime/tls";
import { addressBehind, readTrustedProxies } from "@gatehouse/runtime/trusted-proxies";
import next from "next";

// Not `next start`: it never stops while a keep-alive connection is busy, and then exits with an error.
const CLOSE_TIMEOUT_MS = 3_000;
const TOO_MANY_COOKIES = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>Too many cookies</title><h1>Too many cookies</h1><p>Your browser sent more cookies than this site accepts, most of them from other sites of the
same domain. Delete the cookies of this domain in your browser's settings, or use a private window, then open the page again.</p></html>`;
// OP-17: start.mjs says what needs a restart; here the certificate is what can change
onReload(reloadCertificates);
const proxies = orExit(() => readTrustedProxies(process.env));
const [host = "localhost", port = "3001"] = process.argv.slice(2);

const patience = orExit(() =>
  readPatience(process.env, { onLoopback: isLoopbackUrl(process.env.GATEHOUSE_ADMIN_URL || "http://localhost") }),
);
// Next adds a listener for upgrades to this server, which never listens; given none, to ours. Then no request with an
// Upgrade header would be answered, which is to be ignored: RFC 9110 §7.8.
const httpServer = createServer();
const app = next({ dir: fileURLToPath(new URL(".", import.meta.url)), hostname: host, port: Number(port), httpServer });
const handle = app.getRequestHandler();
const adminUrl = process.env.GATEHOUSE_ADMIN_URL || "http://localhost";
// A console on http, such as one on loopback, leaves the certificate to the server. OP-95
const tlsFiles = adminUrl.startsWith("https:")
  ? orExit(() => readTlsFiles(process.env, adminUrl, rootFolder(fileURLToPath(new URL(".", import.meta.url)))))
  : undefined;
const server = orExit(() =>
  createLimitedServer(serve, {
    tooLarge: () => ({ body: TOO_MANY_COOKIES, headers: { "Content-Type": "text/html; charset=utf-8" } }),
    everywhere: { "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer" },
    unfinished: {
      isProxy: (address) => proxies?.has(address) ?? false,
      callerOf: ({ headers }) => headers["x-forwarded-for"],
    },
    tls: tlsFiles && {
      files: tlsFiles,
      publicOrigin: adminUrl,
      onReload: (error) => error && console.error(`The certificate stays: ${error.message}`),
    },
  }),
);

await app.prepare().catch((error) => exit(error));
server.once("error", (error) =>
  exit(
    error.code === "EADDRINUSE"
      ? new Error(`Port ${port} on ${host} is already in use. Set ADMIN_PORT to another port.`)
      : error,
  ),
);
server.listen(Number(port), host);
onStop(() => void stop(), { reloads: true });

async function serve(incoming, outgoing) {
  const { headers, socket } = incoming;
  // Next sets it only where it is missing, so that a browser could claim any address in the audit log. CO-64, OP-16
  headers["x-forwarded-for"] = addressBehind(proxies, socket.remoteAddress, headers["x-forwarded-for"]).address ?? "";
  try {
    await handle(incoming, outgoing);
  } catch (error) {
    console.error(error);
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  }
}

/** Lets in-flight requests finish. Exits with code 1 if some were aborted. */
async function stop() {
  setTimeout(() => process.exit(1), patience.stopSeconds * 1000 + CLOSE_TIMEOUT_MS).unref();
  const finished = await drain([server], patience);
  await app.close();
  process.exit(finished ? 0 : 1);
}

function orExit(read) {
  try {
    return read();
  } catch (error) {
    return exit(error);
  }
}

function exit(error) {
  console.error(`The console cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(error?.exitCode ?? 1);
}
