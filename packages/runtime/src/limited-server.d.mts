import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { TooLarge } from "./headers.mjs";
import type { TlsFiles } from "./tls.mjs";
import type { limitUnfinished } from "./unfinished.mjs";

type Options = Pick<ServerOptions, "joinDuplicateHeaders"> & {
  /** Answers requests with too many headers. */
  tooLarge: TooLarge;
  /** The headers of every response, for those that no handler makes. */
  everywhere?: Record<string, string>;
  /** With its own TLS. `publicOrigin`: where plain HTTP is redirected to. OP-95 */
  tls?: { files: TlsFiles; publicOrigin: string; onReload: (error?: Error) => void; everyMs?: number } | undefined;
  /** Whose an unfinished request is, and how many each address may have. */
  unfinished: Parameters<typeof limitUnfinished>[1];
};

/**
 * An HTTP server whose connections are tracked, so that it can be drained, and limited: 10 s for the headers of a
 * request, of which it has at most 100 and 16 KiB besides its cookies, and 20 s for all of it, even if no handler reads
 * its body. Handlers that read the body respond earlier (`BODY_SECONDS`), with a reason. OP-96
 */
export function createLimitedServer(
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  options: Options,
): Server;
