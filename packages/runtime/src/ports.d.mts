/** Why this process cannot listen on a port of the loopback addresses: the code of the error; undefined if it can. */
export function portProblem(port: number): Promise<"EADDRINUSE" | "EACCES" | undefined>;

/** A sentence that says which process has the port. */
export function describeTaken(port: number | string): string;

/** The process that listens on the port, if this account may see that: its own processes, as a rule. */
export function holderOf(port: number): { pid: number; command: string } | undefined;
