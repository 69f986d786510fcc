import { createServer, type IncomingMessage, type RequestListener, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express5 from "express";
// @ts-expect-error: only the types of Express 5 are installed; Express 4 is cast to them below
import express4 from "express4";
import { Hono } from "hono";
import type { AuthDemand } from "../src/accept.ts";
import { gatehouse as expressGatehouse } from "../src/express/index.ts";
import { gatehouse as honoGatehouse } from "../src/hono/index.ts";
import type { GatehouseOptions } from "../src/options.ts";

/** An app of a framework that runs, and how its test ends. */
export type RunningApp = {
  /** Undefined without a socket. */
  port?: number;
  send(request: Request): Promise<Response>;
  close(): Promise<void>;
};
export type Adapter = (options: GatehouseOptions) => Promise<RunningApp>;

/** The guarded routes of every app: each answers with what `requireAuth` found, which runs twice. */
const ROUTES: Record<string, AuthDemand> = {
  "/api/stock": { scope: "api:read" },
  "/orders": { accept: "session" },
  "/api/both": { accept: "any", scope: "api:read" },
  "/admin": { accept: "session", scope: "admin" },
  "/payout": { accept: "session", maxAge: 30 },
  "/nested/orders": { accept: "session" },
};

const expressAdapter =
  (express: typeof express5): Adapter =>
  async (options) => {
    const { handlers, requireAuth } = expressGatehouse(options);
    const app = express();
    app.use(handlers);
    app.use(express.json());
    const nested = express.Router();
    for (const [path, demand] of Object.entries(ROUTES)) {
      const [router, below] = path.startsWith("/nested") ? [nested, path.slice("/nested".length)] : [app, path];
      router.all(below, requireAuth({ accept: demand.accept }), requireAuth(demand), (req, res) => {
        res.set("cache-control", "public, max-age=60").json({ auth: req.auth });
      });
    }
    app.use("/nested", nested);
    app.post("/echo", (req, res) => void res.json(req.body));
    app.get("/open", (_, res) => void res.send("open"));
    app.use((error: Error, _req: unknown, res: express5.Response, _next: unknown) => {
      res.status(500).json({ caught: error.message });
    });
    return listening(app);
  };

const honoApp = (options: GatehouseOptions) => {
  const { handlers, requireAuth } = honoGatehouse(options);
  const app = new Hono();
  app.use(handlers);
  const nested = new Hono();
  for (const [path, demand] of Object.entries(ROUTES)) {
    const [router, below] = path.startsWith("/nested") ? [nested, path.slice("/nested".length)] : [app, path];
    router.all(below, requireAuth({ accept: demand.accept }), requireAuth(demand), (c) => {
      c.header("cache-control", "public, max-age=60");
      return c.json({ auth: c.var.auth });
    });
  }
  app.route("/nested", nested);
  app.post("/echo", async (c) => c.json(await c.req.json()));
  app.get("/open", (c) => c.text("open"));
  app.onError((error, c) => c.json({ caught: error.message }, 500));
  return app;
};

/** On a real socket, since an adapter reads what a client sends there. */
async function listening(listener: RequestListener): Promise<RunningApp> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    send: (request) => sendTo(port, request),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** `fetch` would change the headers that say who sends a request. */
async function sendTo(port: number, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = Buffer.from(await request.arrayBuffer());
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    // Two tokens are two lines, as an attacker sends them.
    const lines: Record<string, string | string[]> = {
      ...Object.fromEntries(headers),
      authorization: headers.get("authorization")?.split(", ") ?? [],
    };
    const options = { port, host: "127.0.0.1", path: pathname + search, method, headers: lines };
    send(options, resolve).on("error", reject).end(body);
  });
  const answer = new Headers();
  const { rawHeaders, statusCode: status = 0 } = incoming;
  for (let at = 0; at < rawHeaders.length; at += 2) answer.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers: answer });
}

/** Every framework on every runtime. */
export const ADAPTERS: Record<string, Adapter> = {
  "Express 5": expressAdapter(express5),
  "Express 4": expressAdapter(express4 as typeof express5),
  "Hono on fetch": async (options) => {
    const app = honoApp(options);
    return { send: async (request) => app.fetch(request), close: async () => undefined };
  },
  "Hono on Node": async (options) =>
    // The global Response is that of other test files too
    listening(getRequestListener(honoApp(options).fetch, { overrideGlobalObjects: false })),
};
