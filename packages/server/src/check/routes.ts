import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, posix } from "node:path";

/** A file of the App Router that requests reach. `route` is its URL as folders write it: "/orders/[id]". */
export type RouteFile = { file: string; kind: RouteKind; route: string };
export type RouteKind = "page" | "layout" | "handler" | "metadata";

const SKIPPED = new Set(["dist", "build", "out", "coverage", "public"]);
const KINDS = new Map<string, RouteKind>([
  ["page", "page"],
  ["default", "page"],
  ["layout", "layout"],
  ["template", "layout"],
  ["route", "handler"],
]);
/** Modules whose result Next serves at a URL of their own, and that URL. */
const METADATA = new Map([
  ["sitemap", "sitemap.xml"],
  ["robots", "robots.txt"],
  ["manifest", "manifest.webmanifest"],
]);
const IMAGE = /^(?:icon|apple-icon|opengraph-image|twitter-image)\d?$/;

/** The folder of the App Router, which is not below `src` if both are there; undefined without one. */
export function appFolder(project: string): string | undefined {
  return ["app", "src/app"].find((folder) => isFolder(join(project, folder)));
}

/** The files of the App Router that requests reach. `extensions`: as `pageExtensions` of Next, without the dot. */
export function routeFiles(project: string, app: string, extensions: readonly string[]): RouteFile[] {
  return [...filesBelow(project, app)].flatMap((file) => {
    const folders = posix.relative(app, posix.dirname(file)).split("/").filter(Boolean);
    if (folders.some((name) => name.startsWith("_"))) return [];
    const name = posix.basename(file);
    const extension = extensions.find((one) => name.endsWith(`.${one}`));
    if (extension === undefined) return [];
    const bare = name.slice(0, -extension.length - 1);
    const url = METADATA.get(bare) ?? (IMAGE.test(bare) ? bare : undefined);
    const kind = url === undefined ? KINDS.get(bare) : "metadata";
    if (kind === undefined) return [];
    return [{ file, kind, route: routeOf(url === undefined ? folders : [...folders, url]) }];
  });
}

/** Files of the Pages Router that requests reach. */
export function pagesRouterFiles(project: string, extensions: readonly string[]): { file: string; route: string }[] {
  const folder = ["pages", "src/pages"].find((one) => isFolder(join(project, one)));
  if (folder === undefined) return [];
  return [...filesBelow(project, folder)].flatMap((file) => {
    const extension = extensions.find((one) => file.endsWith(`.${one}`));
    if (extension === undefined) return [];
    const path = posix.relative(folder, file).slice(0, -extension.length - 1);
    if (/^(?:_app|_document|_error|404|500)$/.test(path)) return [];
    return [{ file, route: `/${path}`.replace(/\/index$/, "") || "/" }];
  });
}

/** Folders without groups and slots; intercepting folders are routes of where they lead. */
function routeOf(folders: readonly string[]): string {
  let segments: string[] = [];
  for (const folder of folders) {
    const [, dots, name = ""] = /^((?:\(\.{1,3}\))+)(.+)$/.exec(folder) ?? [];
    if (dots === "(...)") segments = [name];
    else if (dots !== undefined) {
      const up = dots.split("(..)").length - 1;
      segments = [...segments.slice(0, Math.max(0, segments.length - up)), name];
    } else if (!/^(?:\(.*\)|@.*)$/.test(folder)) segments.push(folder.replace(/^%5F/i, "_"));
  }
  return `/${segments.join("/")}`;
}

/** The files of the product, relative to it. Links are followed, as Next does. */
export function* filesBelow(project: string, folder = "", above: readonly string[] = []): Generator<string> {
  const real = realpathSync(join(project, folder));
  if (above.includes(real)) return; // a link to a folder above
  const isTop = folder === "" || folder === "src";
  for (const { name } of readdirSync(real, { withFileTypes: true })) {
    if (name.startsWith(".") || name === "node_modules" || (isTop && SKIPPED.has(name))) continue;
    const path = posix.join(folder, name);
    if (isFolder(join(project, path))) yield* filesBelow(project, path, [...above, real]);
    else yield path;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** A segment that no pattern names. */
const PROBE = "gatehouse-check-probe";

/**
 * Paths that stand for all requests of a route: a pattern that matches each of them matches all. A catch-all has as
 * many lengths as a pattern can tell apart.
 */
export function pathsOf(route: string, longestPattern: number): string[] {
  const segments = route.split("/").filter(Boolean);
  const last = segments.at(-1) ?? "";
  const plain = segments.map((segment) => (/^\[.*\]$/.test(segment) ? PROBE : segment));
  if (!/^\[\[?\.\.\./.test(last)) return [`/${plain.join("/")}`];
  const before = plain.slice(0, -1);
  const shortest = last.startsWith("[[") ? 0 : 1;
  const lengths = Array.from({ length: longestPattern + 2 }, (_, length) => length).slice(shortest);
  return lengths.map((length) => `/${[...before, ...Array<string>(length).fill(PROBE)].join("/")}`);
}
