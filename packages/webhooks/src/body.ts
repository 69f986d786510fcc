import { BodyError, type BodyProblem, readBytes } from "@gatehouse/net";

/** The limit of a delivery, in bytes. Next and proxies silently cut much larger bodies. */
const MAX_BODY_BYTES = 1024 * 1024;
/** How much of the body of a rejected delivery is stored, in bytes. */
export const KEPT_BODY_BYTES = 4096;

/** What was read of a body. Unless it is whole, `bytes` is what had arrived, at most {@link KEPT_BODY_BYTES}. */
export type Body = { kind: "whole" | BodyProblem; bytes: Uint8Array };

/** Reads the raw bytes of a delivery, bounded in size and time. Rejects only for errors that are not about the body. */
export async function readBody(request: Request): Promise<Body> {
  try {
    return { kind: "whole", bytes: await readBytes(request, MAX_BODY_BYTES) };
  } catch (thrown) {
    if (!(thrown instanceof BodyError)) throw thrown;
    return { kind: thrown.problem, bytes: thrown.received.subarray(0, KEPT_BODY_BYTES) };
  }
}

/** A parsed body. `payload` is any JSON value, never undefined. */
export type Parsed = { payload: unknown };

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Parses JSON in UTF-8, ignoring a byte order mark. Returns undefined when it is not JSON. */
export function parseJson(bytes: Uint8Array): Parsed | undefined {
  try {
    return { payload: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return undefined;
  }
}
