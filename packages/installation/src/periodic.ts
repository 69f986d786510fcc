export type Periodic = ReturnType<typeof createPeriodic>;

/** Work that repeats while the process serves. `report` is told of work that fails; the next turn tries again. */
export function createPeriodic(report: (error: unknown, failure: string) => void) {
  const timers: NodeJS.Timeout[] = [];
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  function run(work: () => Promise<unknown>, failure: string): void {
    if (stopped) return;
    const done = work().then(
      () => {},
      (error: unknown) => report(error, failure),
    );
    underWay.add(done);
    void done.finally(() => underWay.delete(done));
  }

  return {
    /** Runs the work once, now. Does not wait for it. */
    run,
    /** Runs the work every so many milliseconds. */
    every(milliseconds: number, work: () => Promise<unknown>, failure: string): void {
      timers.push(setInterval(() => run(work, failure), milliseconds).unref());
    },
    /** Begins no work any more. */
    stop(): void {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
    },
    /** Waits for the work that is under way. */
    async settled(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}
