// An Express API that accepts access tokens from Gatehouse: opaque ones, JWTs, and those that are bound to a key.
import { type Environment, gatehouse } from "@gatehouse/sdk/express";
import express, { type NextFunction, type Request, type Response } from "express";

const PORT = Number(process.env["PORT"] ?? 4200);
/** Accept tokens of these environments only. By default production, or all of them while the issuer is on this machine. */
const environments = process.env["ENVIRONMENTS"]?.split(",") as Environment[] | undefined;

// GATEHOUSE_ISSUER, GATEHOUSE_CLIENT_ID, GATEHOUSE_CLIENT_SECRET and GATEHOUSE_RESOURCE configure it.
const { handlers, requireAuth } = gatehouse({ apiScopes: ["shelf:read", "shelf:write"] });

const stock = new Map([["apples", 12]]);
const app = express().disable("x-powered-by");

app.use(handlers); // tells clients where to get a token

app.get("/stock", requireAuth({ scope: "shelf:read", environments }), (request, response) => {
  response.json({ stock: Object.fromEntries(stock), seenBy: request.auth?.userId ?? request.auth?.clientId });
});

app.put(
  "/stock/:item",
  requireAuth({ scope: "shelf:write", environments }),
  express.json({ limit: "10kb" }),
  (request, response) => {
    const { item } = request.params;
    const count = Number(request.body?.count);
    if (typeof item !== "string" || !Number.isInteger(count) || count < 0)
      return void response
        .status(400)
        .json({ error: "invalid_request", error_description: 'Send {"count": <a whole number>}.' });
    stock.set(item, count);
    response.json({ [item]: count });
  },
);

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent) return next(error);
  console.error(error);
  return response.status(500).json({ error: "server_error" });
});

app.listen(PORT, "localhost", () => console.log(`An Express API at http://localhost:${PORT}`));
