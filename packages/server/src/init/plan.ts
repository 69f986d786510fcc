import { existsSync } from "node:fs";
import { join } from "node:path";
import { ENV_FILE, envFileWith, gitignoreWith, type ProductVariables } from "./env-file.ts";
import type { NewFile } from "./files/new-file.ts";
import { nextFiles, SAMPLE } from "./files/next.ts";
import { mountLines, serverFiles } from "./files/server.ts";
import { protectedProcedure, sampleRouter, withSampleRouter } from "./files/trpc.ts";
import { type Packages, packageJsonWith } from "./package-json.ts";
import { readIn } from "./project.ts";
import { CONFIGURATION, configurationWith, type Registration } from "./registration.ts";
import type { Seen } from "./seen.ts";
import type { Trpc } from "./trpc.ts";
import type { Neighbour } from "./workspace.ts";

/** The new content of a file; `before` is undefined for a new one. */
export type Change = { path: string; before: string | undefined; after: string; mode?: number };
/** Something that the product's developer has to write, and why. */
export type ByHand = { reason: string; lines: string };
export type Plan = { changes: readonly Change[]; byHand: readonly ByHand[] };

export type Wanted = {
  seen: Seen;
  registration: Registration;
  variables: ProductVariables;
  packages: Packages;
  /** The value of the script that starts the product with a server beside it. */
  script: string;
};

/** A secret is in it. */
const OWNER_ONLY = 0o600;

/**
 * What is to be written, and what is left to do by hand: existing files are appended to, and those that sign users in
 * already stay as they are. Nothing that is there already is in the plan. PK-20, PK-21
 */
export function planFor({ seen, registration, variables, packages, script }: Wanted): Plan {
  const change = (path: string, after: (before: string | undefined) => string, mode?: number): Change => {
    const before = readIn(seen.project, path);
    return { path, before, after: after(before), ...(mode !== undefined && { mode }) };
  };
  const files = planFiles(seen.framework === "next" ? nextFiles(seen) : serverFiles(seen), seen);
  const trpc = planTrpc(seen, packages);
  const configuration = planConfiguration(registration, variables, seen);
  const mount = seen.framework === "next" ? [] : planMount(seen);
  const changes = [
    ...files.changes,
    ...trpc.changes,
    ...configuration.changes,
    change(ENV_FILE, (before) => envFileWith(before, variables), OWNER_ONLY),
    change(".gitignore", gitignoreWith),
    change("package.json", (before = "{}") => packageJsonWith(before, packages, script)),
  ];
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    byHand: [...files.byHand, ...trpc.byHand, ...configuration.byHand, ...mount],
  };
}

/**
 * A file that is there stays. Beside a module `auth` of another library, the others are not written either: they would
 * import from it what it does not export.
 */
function planFiles(files: readonly NewFile[], { project }: Seen): Plan {
  const [auth] = files;
  const isForeign = !/@gatehouse\/sdk/.test(readIn(project, auth?.path ?? "") ?? "@gatehouse/sdk");
  const changes: Change[] = [];
  const byHand: ByHand[] = [];
  for (const { path, text, instead } of files) {
    const taken = [path, ...(instead ? [instead] : [])].find((one) => existsSync(join(project, one)));
    if (taken === undefined && isForeign)
      byHand.push({ reason: `Once auth exports what the sdk does, write ${path}:`, lines: text });
    else if (taken === undefined) changes.push({ path, before: undefined, after: text });
    else if (isForeign || !isOurs(readIn(project, taken) ?? ""))
      byHand.push({ reason: `${taken} stays as it is. Add to it:`, lines: text });
  }
  return { changes, byHand };
}

/** It uses the sdk, or what the module `auth` exports. */
const isOurs = (text: string) =>
  /@gatehouse\/sdk|\{[^}]*\b(auth|handlers|proxy)\b[^}]*\} from ["'][^"']*\bauth["']/.test(text);

function planTrpc(seen: Seen, packages: Packages): Plan {
  const { trpc, project } = seen;
  if (trpc === undefined) return { changes: [], byHand: [] };
  const { neighbour } = trpc;
  if (neighbour !== undefined) return planNeighbour(trpc, neighbour, packages, project);
  const text = readIn(project, trpc.file) ?? "";
  const lines = protectedProcedure(trpc);
  if (text.includes("@gatehouse/sdk/trpc") || /\bprotectedProcedure\b/.test(text))
    return text.includes("@gatehouse/sdk/trpc") ? { changes: [], byHand: [] } : byHandIn(trpc.file, lines);
  if (!trpc.hasHeaders) return byHandIn(trpc.file, `${lines}${NEEDS_HEADERS}`);
  const changes: Change[] = [
    { path: trpc.file, before: text, after: `${text}${text.endsWith("\n") ? "" : "\n"}${lines}` },
  ];
  const { root, routerFactory } = trpc;
  const before = root === undefined ? undefined : readIn(project, root);
  if (root === undefined || routerFactory === undefined || before === undefined) return { changes, byHand: [] };
  const sample = sampleRouter(root, routerFactory, trpc, seen);
  const after = withSampleRouter(before, root, sample.path);
  if (after === undefined || existsSync(join(project, sample.path))) return { changes, byHand: [] };
  changes.push({ path: sample.path, before: undefined, after: sample.text }, { path: root, before, after });
  return { changes, byHand: [] };
}

/** Other packages of the workspace are not written to: other apps use them too. */
function planNeighbour(trpc: Trpc, { name, folder }: Neighbour, { dependencies }: Packages, project: string): Plan {
  if (readIn(project, trpc.file)?.includes("@gatehouse/sdk/trpc")) return { changes: [], byHand: [] };
  const needed = Object.entries(dependencies).map(([library, version]) => `"${library}": "${version}"`);
  const lines = `${protectedProcedure(trpc)}${trpc.hasHeaders ? "" : NEEDS_HEADERS}`;
  return {
    changes: [],
    byHand: [
      { reason: `tRPC is in ${name}, which other apps may use. For signed-in users, add to ${trpc.file}:`, lines },
      { reason: `Add to the dependencies in ${folder}/package.json:`, lines: needed.join(",\n") },
    ],
  };
}

const NEEDS_HEADERS = `
// Its context needs the headers of the request, as createContext gets them: { headers: request.headers }.
`;

const byHandIn = (path: string, lines: string): Plan => ({
  changes: [],
  byHand: [{ reason: `${path} stays as it is. Add to it:`, lines }],
});

function planConfiguration(registration: Registration, variables: ProductVariables, { project }: Seen): Plan {
  const before = readIn(project, CONFIGURATION);
  const developmentId = variables.GATEHOUSE_CLIENT_ID;
  const after = configurationWith(before, developmentId, registration);
  if (after !== undefined) return { changes: [{ path: CONFIGURATION, before, after }], byHand: [] };
  return byHandIn(CONFIGURATION, configurationWith(undefined, developmentId, registration) ?? "");
}

/** Where the app mounts its routes, only its developer knows. */
function planMount(seen: Seen): ByHand[] {
  const { project, source, language, manifest } = seen;
  const candidates = ["index", "server", "app", "main"].map((name) => `${source}${name}.${language}`);
  const mounted = candidates.some((path) => /\bhandlers\b.*auth/.test(readIn(project, path) ?? ""));
  if (mounted) return [];
  return [{ reason: `Add to where ${manifest.name ?? "your app"} sets up its routes:`, lines: mountLines(seen) }];
}

/** The sample that a browser can open. */
export const sampleUrl = ({ appUrl }: Seen) => `${appUrl}${SAMPLE}`;
