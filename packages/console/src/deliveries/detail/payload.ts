import { DomainError } from "../../domain-error.ts";

export type PayloadText = { text: string; encoding: "utf8" | "base64" };

/** Bytes as text if they are UTF-8, otherwise as base64, so that no byte is lost. */
export function payloadText(bytes: Uint8Array): PayloadText {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), encoding: "utf8" };
  } catch {
    return { text: Buffer.from(bytes).toString("base64"), encoding: "base64" };
  }
}

/** Why handlers cannot run again. */
export const NO_BODY = "The payload is deleted, so there is nothing to run the handlers with.";
export const PROBE = "This is a probe of the doctor, which no handler gets.";

export function missingDelivery(): DomainError {
  return new DomainError("not_found", "There is no such delivery, or it has been deleted because of its age.");
}
