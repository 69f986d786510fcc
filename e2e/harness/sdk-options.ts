import { readFileSync } from "node:fs";
import type { GatehouseOptions } from "@gatehouse/sdk";
import type { AppOptions } from "./sdk-process.ts";

/** What this process of a product was started with. Its clock and its way to the server are the test's. */
export function optionsOfProcess(): { port: number; appUrl: string; options: GatehouseOptions } {
  const { port, relay, clock, ...options }: AppOptions = JSON.parse(process.argv[2] ?? "{}");
  return {
    port,
    appUrl: options.appUrl,
    options: {
      ...options,
      now: () => Date.now() + Number(readFileSync(clock, "utf8")),
      // The server keeps its own address; only the connection goes through the relay.
      fetch: (input, init) => fetch(String(input).replace(options.issuer, relay), init),
    },
  };
}
