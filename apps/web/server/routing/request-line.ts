import type { RefusalLogEntry } from "@gatehouse/auth";
import { consoleLink } from "@gatehouse/installation";

/** From then on a request counts as slow. */
const SLOW_MS = 1_000;

type Answered = {
  route: string;
  method: string;
  status: number;
  ms: number;
  /** The client that was authenticated, or whose token it was. */
  clientId?: string | undefined;
  requestId: string | undefined;
  traceId: string | undefined;
};
type Rejected = { refusal: RefusalLogEntry | undefined; deliveryId: string | null };

/**
 * Rejected requests are logged at `info`, even if the error went to the client in a redirect, and so are slow ones; others
 * at `debug`, since a line costs as much as some requests. OP-77
 */
export function levelOf(status: number, ms: number, refusal: RefusalLogEntry | undefined): "info" | "debug" {
  return refusal || status >= 400 || ms >= SLOW_MS ? "info" : "debug";
}

/**
 * The fields of the line of one request. That of one that the console can explain has the link to it. CO-04, OP-77.
 * What is undefined is left out of the line.
 */
export function requestLine(
  { requestId, traceId, clientId, ...answered }: Answered,
  { refusal, deliveryId }: Rejected,
  adminUrl: string,
) {
  const line = { ...answered, request_id: requestId, trace_id: traceId };
  if (refusal) {
    const { errorId, cause } = refusal;
    const link = errorId === null ? {} : { console: consoleLink(adminUrl, errorId) };
    return { ...line, error_id: errorId, cause, client_id: refusal.clientId ?? clientId ?? null, ...link };
  }
  const delivery = deliveryId === null ? {} : { delivery_id: deliveryId, console: consoleLink(adminUrl, deliveryId) };
  return { ...line, client_id: clientId, ...delivery };
}
