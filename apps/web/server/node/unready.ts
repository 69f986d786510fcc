import { cutConnections } from "@gatehouse/runtime/drain";
import { everywhereHeaders } from "../routing/headers.ts";
import type { Env } from "../start/env.ts";
import { listen } from "./listen.ts";
import type { Listener } from "./next-mount.ts";
import { mintRequestId } from "./request-id.ts";

/**
 * Listens until the server can serve: /healthz is 200, everything else 503. Returns the function that stops it. OP-62.
 */
export async function answerUnready(
  env: Pick<Env, "hosts" | "port" | "issuer" | "trustedProxies" | "tls">,
): Promise<() => Promise<void>> {
  const servers = await listen(unready(everywhereHeaders(env.issuer)), env);
  return async () => {
    const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    cutConnections(servers);
    await closed;
  };
}

const unready =
  (everywhere: Record<string, string>): Listener =>
  ({ url }, outgoing) => {
    const headers = {
      ...everywhere,
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      Connection: "close",
      "X-Request-Id": mintRequestId(),
    };
    if (url === "/healthz") return void outgoing.writeHead(200, headers).end('{"status":"ok"}');
    outgoing.writeHead(503, { ...headers, "Retry-After": "10" });
    return void outgoing.end(
      '{"error":"temporarily_unavailable","error_description":"The server is waiting for a database migration."}',
    );
  };
