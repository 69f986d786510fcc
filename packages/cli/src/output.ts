/** Prints a command's result. Standard output holds nothing else, so that scripts can read it. */
export function print(result: unknown): void {
  console.log(JSON.stringify(result, null, 2));
}

/** Prints progress to standard error. */
export function report(step: string): void {
  process.stderr.write(`› ${step}\n`);
}

/** A time in Unix seconds as people read it; null stays null. */
export function isoTime<Seconds extends number | null>(seconds: Seconds): Seconds extends null ? null : string;
export function isoTime(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}
