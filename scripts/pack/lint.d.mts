export function lintProblems(folder: string): Promise<readonly string[]>;
