import { createContext } from "@gatehouse/api";
import { createCallerFactory } from "@gatehouse/api/trpc";
import { appRouter } from "@gatehouse/product/router";
import { headers } from "next/headers";
import { clientAddress } from "../node/address.ts";
import { startApp } from "../start/app.ts";

const callerOf = createCallerFactory(appRouter);

/** The procedures of /trpc for the session that opens a React page, called without HTTP. For what a page shows first. */
export async function pageApi() {
  const { deps, env } = await startApp();
  const sent = await headers();
  const request = new Request(env.issuer, { headers: { cookie: sent.get("cookie") ?? "" } });
  return callerOf(await createContext({ request, deps, caller: { address: clientAddress(sent, env.trustProxy) } }));
}
