import { GatehouseError } from "../error.ts";

/** The value in the body of an event, by its content type. GitHub's forms have JSON in the field `payload`. */
export function payloadOf(body: Uint8Array, contentType: string, provider: string): unknown {
  const text = textOf(body);
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) return parse(text);
  const fields = Object.fromEntries(new URLSearchParams(text));
  const payload = provider === "github" ? fields["payload"] : undefined;
  return payload === undefined ? fields : parse(payload);
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw unparsable();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unparsable();
  }
}

const unparsable = () => new GatehouseError("invalid_request", "The body is neither JSON in UTF-8 nor a form.");
