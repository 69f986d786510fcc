import { answerRuns } from "@gatehouse/work/handlers";
import type { Installation } from "./installation.ts";

/** Makes this process the one in which webhook handlers run, of the server that started it. */
export function serveHandlers({ settings, work, log, close }: Installation): void {
  answerRuns({ ...work, log }, { memoryMb: settings.current.handlers.memoryMb, close });
}
