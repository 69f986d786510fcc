import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A frame of a stack: the function, and its source file as a path in the repository, or `node:…`; empty for native
 * code.
 */
export type Frame = { name: string; source: string };
/** A profile of V8's sampling profiler, as `node --cpu-prof` writes it. */
export type CpuProfile = {
  /** Microseconds of the monotonic clock, which all processes share. */
  startTime: number;
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
};

/** A period on the monotonic clock, in microseconds. */
export type Period = { from: number; to: number };

/**
 * Microseconds of the samples in a period, summed by what `classify` says of their stacks (innermost frame first). Idle
 * time is left out.
 */
export function timeByStep<Step extends string>(
  { startTime, nodes, samples, timeDeltas }: CpuProfile,
  { from, to }: Period,
  sourceOf: (url: string, line: number) => string,
  classify: (stack: readonly Frame[]) => Step,
): Map<Step, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const frames = new Map(
    nodes.map(({ id, callFrame }) => [
      id,
      { name: callFrame.functionName, source: sourceOf(callFrame.url, callFrame.lineNumber) },
    ]),
  );
  const steps = new Map<number, Step | undefined>();
  const stepOf = (node: number): Step | undefined => {
    if (!steps.has(node)) {
      const stack: Frame[] = [];
      for (let at: number | undefined = node; at !== undefined; at = parents.get(at))
        stack.push(frames.get(at) ?? { name: "", source: "" });
      steps.set(node, stack[0]?.name === "(idle)" ? undefined : classify(stack));
    }
    return steps.get(node);
  };

  const sums = new Map<Step, number>();
  let now = startTime;
  samples.forEach((node, at) => {
    now += timeDeltas[at] ?? 0;
    // A sample stands for the time until the next one.
    const micros = timeDeltas[at + 1] ?? 0;
    const step = now >= from && now < to ? stepOf(node) : undefined;
    if (step !== undefined && micros > 0) sums.set(step, (sums.get(step) ?? 0) + micros);
  });
  return sums;
}

/** Finds the source file of a line of a bundle by the comments that esbuild writes before each module. */
export function createSourceOf(root: string): (url: string, line: number) => string {
  const bundles = new Map<string, { line: number; source: string }[]>();
  return (url, line) => {
    if (!url.startsWith("file:")) return url;
    const file = fileURLToPath(url);
    let modules = bundles.get(file);
    if (!modules) {
      modules = modulesOf(readFileSync(file, "utf8"), dirname(dirname(file)), root);
      bundles.set(file, modules);
    }
    return modules.findLast((module) => module.line <= line)?.source ?? relative(root, file);
  };
}

/** The first line of each module of a bundle; sources are named relative to the folder that esbuild ran in. */
export function modulesOf(bundle: string, folder: string, root: string): { line: number; source: string }[] {
  return bundle.split("\n").flatMap((text, line) => {
    const source = /^\/\/ ((?:\.\.\/|[\w@.])\S*\.(?:tsx?|mjs|cjs|js))$/.exec(text)?.[1];
    return source === undefined ? [] : [{ line, source: relative(root, resolve(folder, source)) }];
  });
}
