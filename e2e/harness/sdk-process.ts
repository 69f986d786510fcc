import { join } from "node:path";
import { ROOT } from "./commands.ts";
import { buildNextProduct, type NextProduct } from "./next-product.ts";
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

/** Starts a process of a product, which serves `/orders` and `/live` to its users. */
export type StartApp = (options: AppOptions) => Promise<Running>;

/** A program that takes its options as an argument, such as sdk-app.ts. */
export async function startProgram(options: AppOptions, command: readonly string[], cwd: string): Promise<Running> {
  const [program = "", ...args] = command;
  const running = launch(program, [...args, JSON.stringify(options)], { cwd, env: {} });
  await untilReady(`http://localhost:${options.port}/`, running);
  return running;
}

const ownProgram =
  (file: string): StartApp =>
  (options) =>
    startProgram(options, [process.execPath, "--import", "tsx", file], join(ROOT, "e2e"));

export const onNode = ownProgram("harness/sdk-app.ts");
export const onExpress = ownProgram("harness/sdk-express.ts");
export const onNext: StartApp = async (options) => {
  built ??= buildNextProduct();
  return startNext(options, await built);
};
let built: Promise<NextProduct> | undefined;

export const startNext = (options: AppOptions, product: NextProduct): Promise<Running> =>
  product.start({
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
