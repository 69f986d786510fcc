import type { WriteLines } from "@gatehouse/console/audit/lines";
import { type Logger, pino } from "pino";

/** What `fsync` says of pipes and terminals, which have nothing to sync. */
const NOT_SYNCABLE = ["EINVAL", "ENOTSUP", "EROFS"];

type Destination = ReturnType<typeof pino.destination>;

/**
 * Writes lines to where the log goes, between its lines and whatever its level. Waits until the system has taken them,
 * so what a slow reader leaves in memory is bounded. Rejects if they could not be written; with `EPIPE` from then on,
 * since the log drops what comes after its reader is gone. OP-78
 */
export function createLineWriter(log: Logger): WriteLines {
  const destination = (log as Logger & { [pino.symbols.streamSym]: Destination })[pino.symbols.streamSym];
  let readerIsGone: Error | undefined;
  destination.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error; // as without this listener
    readerIsGone = error;
  });
  const flush = () =>
    new Promise<void>((resolve, reject) =>
      destination.flush((error) => (isFailure(error) ? reject(error) : resolve())),
    );
  return async (lines) => {
    if (readerIsGone) throw readerIsGone;
    destination.write(lines);
    // The destination says that it is done when fewer bytes wait than it collects before it writes: the rest of them
    // is written by the second flush.
    await flush();
    await flush();
    if (readerIsGone) throw readerIsGone;
  };
}

const isFailure = (error: NodeJS.ErrnoException | null | undefined) =>
  error != null && !NOT_SYNCABLE.includes(error.code ?? "");
