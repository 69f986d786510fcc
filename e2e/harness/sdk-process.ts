import { join } from "node:path";
import { ROOT } from "./commands.ts";
import { buildNextProduct } from "./next-product.ts";
import { launch, type Running, untilReady } from "./processes.ts";

/** What a process of a product is started with. */
export type AppOptions = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  appUrl: string;
  port: number;
  /** Where requests to the issuer are sent. */
  relay: string;
  /** A file with the milliseconds that the process's clock is ahead. */
  clock: string;
  rotation: boolean;
  check?: number;
};

/** How a process of a product starts, by what the product is built with. Each serves `/orders` and `/live` to its users. */
const APPS = {
  node: (options: AppOptions) => startProgram("harness/sdk-app.ts", options),
  express: (options: AppOptions) => startProgram("harness/sdk-express.ts", options),
  next: startNext,
} satisfies Record<string, (options: AppOptions) => Promise<Running>>;
export type App = keyof typeof APPS;

export const startApp = (app: App, options: AppOptions): Promise<Running> => APPS[app](options);

async function startProgram(file: string, options: AppOptions): Promise<Running> {
  const args = ["--import", "tsx", file, JSON.stringify(options)];
  const running = launch(process.execPath, args, { cwd: join(ROOT, "e2e"), env: {} });
  await untilReady(`http://localhost:${options.port}/`, running);
  return running;
}

async function startNext(options: AppOptions): Promise<Running> {
  built ??= buildNextProduct();
  return (await built).start({
    PORT: String(options.port),
    GATEHOUSE_ISSUER: options.issuer,
    GATEHOUSE_CLIENT_ID: options.clientId,
    GATEHOUSE_CLIENT_SECRET: options.clientSecret,
    GATEHOUSE_APP_URL: options.appUrl,
    RELAY: options.relay,
    CLOCK_FILE: options.clock,
    ROTATION: options.rotation ? "on" : "off",
    CHECK: String(options.check ?? ""),
  });
}
let built: ReturnType<typeof buildNextProduct> | undefined;
