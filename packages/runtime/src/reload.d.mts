import type { ChildProcess } from "node:child_process";

/**
 * Calls `reload` on SIGHUP, and when the process that started this one says so with `tellToReload`. A SIGHUP that comes
 * because the terminal was closed stops the process instead, as SIGTERM does. OP-17
 */
export function onReload(reload: () => void): void;

/** Has a process that this one started reload: unlike a signal, a message waits until the process listens. OP-17 */
export function tellToReload(child: ChildProcess): void;
