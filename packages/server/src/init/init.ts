import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { productVariables } from "../dev/client-secret.ts";
import { applyFile } from "../dev/configuration.ts";
import { devEnvironment, issuerOf, type Place, PORTS } from "../dev/environment.ts";
import { prepareFolder } from "../dev/folder.ts";
import { environment } from "../env.ts";
import type { ProductVariables } from "./env-file.ts";
import { install } from "./install.ts";
import type { Packages } from "./package-json.ts";
import { type Plan, planFor, sampleUrl } from "./plan.ts";
import { type AppUrls, CONFIGURATION, clientIdOf } from "./registration.ts";
import { type Done, describeDone, describePlan } from "./report.ts";
import { look, type Said, type Seen } from "./seen.ts";
import type { Ask } from "./unsure.ts";
import { write, writtenBy } from "./write.ts";

/** `urls`: of staging and production. `scopes`: of the product's APIs, besides those of sign-in. */
export type Wish = Said & {
  project: string;
  urls: AppUrls;
  scopes: readonly string[];
  packages: Packages;
  place: Place;
  dryRun: boolean;
};

/** Something is left to do by hand. */
const BY_HAND = 3;

/**
 * Makes a product sign its users in: finds out what it is made of, writes what is missing, installs the packages and
 * registers a client for development. Returns the exit code, and what to print. PK-19, PK-20, PK-21, PK-22
 */
export async function init(wish: Wish, ask: Ask): Promise<{ code: number; text: string }> {
  const seen = await look(wish.project, wish, ask);
  const variables = variablesFor(seen, wish);
  const plan = planOf(seen, variables, wish);
  const done: Done = { plan, clientId: variables.GATEHOUSE_CLIENT_ID, manager: seen.manager, sample: sampleUrl(seen) };
  const code = plan.byHand.length > 0 ? BY_HAND : 0;
  if (wish.dryRun) return { code, text: describePlan(done) };

  const { project, place } = wish;
  prepareFolder(place.folder);
  write(project, place.folder, plan.changes);
  if (plan.changes.some(({ path }) => path === "package.json"))
    await writtenBy(project, place.folder, seen.manager.lockFile, () => install(project, seen.manager));
  await register(project, place);
  return { code, text: describeDone(done) };
}

/** What is to be written for this wish. */
export function planOf(seen: Seen, variables: ProductVariables, { urls, scopes, packages, place }: Wish): Plan {
  return planFor({
    seen,
    registration: { name: seen.name, urls: { development: variables.GATEHOUSE_APP_URL, ...urls }, scopes },
    variables,
    packages,
    script: ["gatehouse dev", ...portFlags(place), `-- ${seen.manager.name} run dev`].join(" "),
  });
}

/** What of the script is not as by default. */
function portFlags({ port, consolePort }: Place): string[] {
  return [
    ...(port === PORTS.port ? [] : [`--port ${port}`]),
    ...(consolePort === PORTS.consolePort ? [] : [`--console-port ${consolePort}`]),
  ];
}

const SECRET_BYTES = 32;

/** What the product has in `.env.local`, or else new values. */
export function variablesFor({ name, appUrl, project }: Seen, { place }: Wish): ProductVariables {
  const set = productVariables(project);
  return {
    GATEHOUSE_ISSUER: set["GATEHOUSE_ISSUER"] || issuerOf(place),
    GATEHOUSE_CLIENT_ID: set["GATEHOUSE_CLIENT_ID"] || clientIdOf(name, "development"),
    GATEHOUSE_CLIENT_SECRET: set["GATEHOUSE_CLIENT_SECRET"] || randomBytes(SECRET_BYTES).toString("base64url"),
    GATEHOUSE_APP_URL: set["GATEHOUSE_APP_URL"] || appUrl,
  };
}

/** PK-22: in the database of `gatehouse dev`, which applies the file again at each start. */
async function register(project: string, place: Place): Promise<void> {
  const file = join(project, CONFIGURATION);
  if (existsSync(file)) await applyFile(file, devEnvironment(place, environment()), productVariables(project));
}
