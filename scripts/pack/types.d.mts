export function bundleTypes(options: {
  entries: Record<string, string>;
  dist: string;
  external: readonly string[];
  tsconfig: string;
}): Promise<void>;
