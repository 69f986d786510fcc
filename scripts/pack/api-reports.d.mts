export function apiReports(folder: string): Promise<Map<string, string>>;
export function staleApiReports(reports: ReadonlyMap<string, string>): Promise<readonly string[]>;
export function writeApiReports(reports: ReadonlyMap<string, string>): Promise<readonly string[]>;
