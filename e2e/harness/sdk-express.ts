// A product in one process, with @gatehouse/sdk on Express; started by sdk-process.ts:
// node --import tsx sdk-express.ts <options as JSON>

import { gatehouse } from "@gatehouse/sdk/express";
import express from "express";
import { optionsOfProcess } from "./sdk-options.ts";

const { port, options } = optionsOfProcess();
const { handlers, requireAuth } = gatehouse(options);

const app = express();
app.use(handlers);
app.get("/", (_req, res) => res.send("the start page"));
app.use(["/orders", "/live"], (req, res, next) =>
  requireAuth({ accept: "session", live: req.baseUrl === "/live" })(req, res, next),
);
app.get(["/orders", "/live"], (req, res) => res.json({ user: req.auth?.userId }));
app.listen(port, "localhost");
