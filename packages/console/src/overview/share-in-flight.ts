/** Makes calls with the same key share one result while it is being made. Nothing is kept after that. */
export function shareInFlight<Result>(): (key: string, work: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, Promise<Result>>();
  return (key, work) => {
    const known = running.get(key);
    if (known) return known;
    const result = work().finally(() => running.delete(key));
    running.set(key, result);
    return result;
  };
}
