export function problemsOf(
  folder: string,
  names: { scope: string; published: readonly string[] },
): Promise<readonly string[]>;
export function filesBelow(folder: string): string[];
export function codeImports(
  folder: string,
  files: readonly string[],
): Promise<readonly { file: string; path: string }[]>;
