/** An argument of a process on Linux has at most 128 KiB. */
const MAX_BODY_BYTES = 100 * 1024;

/**
 * A `curl` command for a POSIX shell that sends these exact bytes. In: an absolute URL, header values without control
 * characters. Returns undefined if the body does not fit on a command line.
 */
export function curlCommand({
  url,
  headers,
  body,
}: {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}): string | undefined {
  if (body.byteLength > MAX_BODY_BYTES) return undefined;
  const text = plainText(body);
  const source =
    text === undefined ? `printf %s ${quoted(Buffer.from(body).toString("base64"))} | base64 --decode | ` : "";
  const data = text === undefined ? "--data-binary @-" : `--data-raw ${quoted(text)}`;
  const lines = [
    `${source}curl --include ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    data,
  ];
  return lines.join(" \\\n  ");
}

/** In single quotes, a POSIX shell interprets nothing but the closing quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The text, if a shell passes it on byte for byte and a terminal shows it as it is. */
function plainText(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString("utf8");
  if (!Buffer.from(text).equals(bytes)) return undefined;
  // Control and format characters are invisible in a terminal, or change what it shows.
  return /(?![\t\n])[\p{Cc}\p{Cf}]/u.test(text) ? undefined : text;
}
