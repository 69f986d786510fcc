// A product in one process, with @gatehouse/sdk on Hono and tRPC; started by sdk-process.ts:
// node --import tsx sdk-hono.ts <options as JSON>

import { gatehouse } from "@gatehouse/sdk/hono";
import { createRequires } from "@gatehouse/sdk/trpc";
import { sessionLink } from "@gatehouse/sdk/trpc/client";
import { serve } from "@hono/node-server";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import { optionsOfProcess } from "./sdk-options.ts";

const { port, appUrl, options } = optionsOfProcess();
const { handlers, requireAuth } = gatehouse(options);

const t = initTRPC.context<{ headers: Headers }>().create();
const router = t.router({
  me: t.procedure.use(createRequires(options)()).query(({ ctx }) => ctx.auth.userId),
});

const app = new Hono();
app.use(handlers);
app.get("/", (c) => c.text("the start page"));
app.get("/orders", requireAuth({ accept: "session" }), (c) => c.json({ user: c.var.auth.userId }));
app.get("/live", requireAuth({ accept: "session", live: true }), (c) => c.json({ user: c.var.auth.userId }));
app.all("/trpc/*", ({ req: { raw } }) =>
  fetchRequestHandler({ endpoint: "/trpc", req: raw, router, createContext: () => ({ headers: raw.headers }) }),
);
/** Calls the procedure as a page does, with the headers of this request. */
app.get("/through-client", async ({ req, json }) => {
  const url = `${appUrl}/trpc`;
  const headers = { cookie: req.header("cookie") ?? "", "sec-fetch-site": "same-origin" };
  const client = createTRPCClient<typeof router>({ links: [sessionLink(), httpBatchLink({ url, headers })] });
  return json(
    await client.me.query().then(
      (user) => ({ user }),
      (error: Error) => ({ error: error.message }),
    ),
  );
});
serve({ fetch: app.fetch, port, hostname: "localhost" });
