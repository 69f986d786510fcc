export type Figure = {
  what: string;
  value: number;
  unit?: string;
  /** What the figure has to be, in words. */
  limit?: string;
  isMet?: boolean;
};

export type OpsResult = {
  id: string;
  /** Why parts did not run. */
  skipped: readonly string[];
  figures: readonly Figure[];
  form?: string;
  /** ISO 8601. */
  at?: string;
  machine?: string;
};

export function nameOf(file: string): string;
export function figuresTable(result: OpsResult): string;
