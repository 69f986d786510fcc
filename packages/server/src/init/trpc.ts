import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Manifest } from "./project.ts";
import type { Ask } from "./unsure.ts";
import { type Neighbour, neighboursOf } from "./workspace.ts";

/** The product's tRPC. Paths are relative to the project. */
export type Trpc = {
  /** The file with `initTRPC`, and what it calls the result. */
  file: string;
  builder: string;
  /** What makes a router, as the file exports it. */
  routerFactory: string | undefined;
  /** Whether its context has the request's headers, which sessions are read from. */
  hasHeaders: boolean;
  /** The file that exports `appRouter`, if it is written as this command can extend it. */
  root: string | undefined;
  /** The package of the workspace that the file belongs to, if not to the project. */
  neighbour: Neighbour | undefined;
  /** Where the product serves it: of the folder `[trpc]` of its routes. */
  endpoint: string;
};

const SKIPPED = new Set(["node_modules", "dist", "build", "out", "coverage", "public"]);
const SOURCE = /\.[cm]?[jt]sx?$/;
const BUILDER = /\bconst\s+(\w+)\s*=\s*initTRPC\b/;
const FACTORY = /\bexport\s+const\s+(\w+)\s*=\s*\w+\.router\b/;
/** `export const appRouter = createTRPCRouter({`. */
export const APP_ROUTER = /\bexport\s+const\s+appRouter\s*=\s*\w+\(\{/;

/** The route of tRPC's handler in Next's App Router. */
const ROUTE = /(?:^|\/)app\/(.+)\/\[trpc\]\/route\.[jt]s$/;
const USUAL_ENDPOINT = "/api/trpc";

type Source = { file: string; text: string };

/**
 * The product's tRPC, which a file that calls `initTRPC` shows: the project's own, or else that of a package of the
 * workspace that it depends on. Undefined without one. PK-19
 */
export async function findTrpc(project: string, manifest: Manifest, ask: Ask): Promise<Trpc | undefined> {
  const own = sourcesIn(project);
  const endpoint = endpointIn(own);
  const found = await findIn(own, ask);
  if (found !== undefined) return { ...found, neighbour: undefined, endpoint };
  for (const neighbour of neighboursOf(project, manifest)) {
    const theirs = await findIn(sourcesIn(project, neighbour.folder), ask);
    if (theirs !== undefined) return { ...theirs, neighbour, endpoint };
  }
  return undefined;
}

async function findIn(sources: readonly Source[], ask: Ask): Promise<Omit<Trpc, "neighbour" | "endpoint"> | undefined> {
  const found = sources.filter(({ text }) => BUILDER.test(text));
  const [first] = found;
  if (first === undefined) return undefined;
  const file =
    found.length === 1
      ? first.file
      : await askWhich(
          found.map((one) => one.file),
          ask,
        );
  const { text } = found.find((one) => one.file === file) ?? first;
  return {
    file,
    builder: BUILDER.exec(text)?.[1] ?? "t",
    routerFactory: FACTORY.exec(text)?.[1],
    hasHeaders: /\bheaders\b/.test(text),
    root: sources.find((one) => APP_ROUTER.test(one.text))?.file,
  };
}

/** Folders in parentheses are groups, and no part of the URL. */
function endpointIn(sources: readonly Source[]): string {
  const [route = ""] = sources.flatMap(({ file }) => ROUTE.exec(file)?.[1] ?? []);
  const parts = route.split("/").filter((part) => part !== "" && !part.startsWith("("));
  return parts.length === 0 ? USUAL_ENDPOINT : `/${parts.join("/")}`;
}

const sourcesIn = (project: string, folder = ""): Source[] =>
  [...sourcesBelow(project, folder)].map((file) => ({ file, text: readFileSync(join(project, file), "utf8") }));

function* sourcesBelow(project: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(project, folder), { withFileTypes: true })) {
    if (entry.name.startsWith(".") || SKIPPED.has(entry.name)) continue;
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesBelow(project, path);
    else if (SOURCE.test(entry.name)) yield path;
  }
}

function askWhich(files: readonly string[], ask: Ask): Promise<string> {
  return ask({
    title: "Which one serves your users?",
    seen: `Several files call initTRPC: ${files.join(", ")}.`,
    flag: "--trpc",
    choices: files.map((value) => ({ value, label: value })),
  });
}
