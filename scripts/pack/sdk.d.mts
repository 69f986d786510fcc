export function buildSdk(folder: string, options?: { types?: boolean }): Promise<void>;
