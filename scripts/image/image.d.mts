import type { ChildProcessWithoutNullStreams } from "node:child_process";

/** What a container runtime reads of the image. */
export type ImageConfig = {
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  User: string;
  WorkingDir: string;
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
  StopSignal: string;
};
export type Image = { root: string; config: ImageConfig };
export type Contained = { child: ChildProcessWithoutNullStreams; signal: (name: NodeJS.Signals) => void };
export function missingPackages(): string[];
export function buildImage(work: string): Image;
export function writeLayout(work: string, file: string): void;
export function runImage(
  image: Image,
  options: {
    args: string[];
    data: string;
    env?: Record<string, string>;
    uid?: number;
    mounts?: Record<string, string>;
  },
): Contained;
