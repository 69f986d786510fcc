import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ParserPlugin, parse } from "@babel/parser";
import type { Node, Program } from "@babel/types";

/** A module of the product. `file` is relative to the product, with `/` between folders. */
export type Source = {
  file: string;
  program: Program;
  /** The directive at its top: where it runs. */
  directive: "use client" | "use server" | undefined;
};

/** A module that cannot be read as JavaScript or TypeScript. */
class UnreadableSourceError extends Error {
  override readonly name = "UnreadableSourceError";
}

export const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** The product's modules, each parsed once. */
export type Sources = {
  project: string;
  /** @throws UnreadableSourceError */
  read(file: string): Source;
  text(file: string): string;
  exists(file: string): boolean;
};

export function openSources(project: string): Sources {
  const parsed = new Map<string, Source>();
  const text = (file: string) => readFileSync(join(project, file), "utf8");
  return {
    project,
    text,
    exists: (file) => statSync(join(project, file), { throwIfNoEntry: false })?.isFile() ?? false,
    read(file) {
      const known = parsed.get(file) ?? parseSource(file, text(file));
      parsed.set(file, known);
      return known;
    },
  };
}

function parseSource(file: string, text: string): Source {
  const program = programOf(file, text);
  const directives = program.directives.map(({ value }) => value.value);
  const directive = (["use client", "use server"] as const).find((one) => directives.includes(one));
  return { file, program, directive };
}

function programOf(file: string, text: string): Program {
  const isTypeScript = /\.[cm]?tsx?$/.test(file);
  const plugins: ParserPlugin[] = [
    ...(isTypeScript ? (["typescript", "decorators-legacy"] as const) : []),
    ...(/\.[cm]?ts$/.test(file) ? [] : (["jsx"] as const)), // in .ts, `<T>x` is a cast
  ];
  try {
    return parse(text, { sourceType: "module", plugins, allowReturnOutsideFunction: true }).program;
  } catch (error) {
    throw new UnreadableSourceError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const NOT_CHILDREN = new Set(["loc", "extra", "errors", "leadingComments", "trailingComments", "innerComments"]);

/** The nodes directly below a node, in the order of the source. */
export function* childrenOf(node: Node): Generator<Node> {
  for (const [key, value] of Object.entries(node)) {
    if (NOT_CHILDREN.has(key)) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** Every node below a node with the nodes that contain it, outermost first. `enter` leaves out what it is false for. */
export function* nodesBelow(
  node: Node,
  around: readonly Node[],
  enter: (node: Node) => boolean = () => true,
): Generator<{ node: Node; around: readonly Node[] }> {
  const inner = [...around, node];
  for (const child of childrenOf(node)) {
    if (!enter(child)) continue;
    yield { node: child, around: inner };
    yield* nodesBelow(child, inner, enter);
  }
}

export const lineOf = ({ loc }: Node): number => loc?.start.line ?? 1;
