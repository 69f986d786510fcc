import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { curlCommand } from "./curl-command.ts";

// A `curl` that writes down its arguments and standard input.
const folder = mkdtempSync(join(tmpdir(), "curl-command-"));
const curl = join(folder, "curl");
writeFileSync(
  curl,
  `#!/bin/sh\nprintf '%s\\0' "$@" > "$ARGUMENTS"\nif [ "$(printf '%s' "$*" | tail -c 2)" = "@-" ]; then cat > "$ARGUMENTS.in"; fi\n`,
);
chmodSync(curl, 0o755);
afterAll(() => rmSync(folder, { recursive: true }));

/** The arguments and the standard input that a shell gives to curl. */
function run(command: string) {
  const file = join(folder, "arguments");
  execFileSync("sh", ["-c", command], {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}`, ARGUMENTS: file },
  });
  return { given: readFileSync(file, "utf8").split("\0").slice(0, -1), input: () => readFileSync(`${file}.in`) };
}

const url = "http://localhost:3000/api/webhooks/stripe";

describe("a curl command, in a real shell", () => {
  test.each(['{"name":"it\'s $HOME `id` \\\\ \\" !"}', "@/etc/passwd", "two\nlines\n", "Grüße 👍"])(
    "sends the text %j as it is, and nothing is expanded",
    (body) => {
      const { given } = run(
        curlCommand({ url, headers: { "x-test": "a'b; rm -rf $X" }, body: Buffer.from(body) }) ?? "",
      );
      expect(given).toEqual(["--include", url, "--header", "x-test: a'b; rm -rf $X", "--data-raw", body]);
    },
  );

  test.each([[Buffer.from([0xff, 0, 1])], [Buffer.from("a\u001b[2Jb")], [Buffer.from("\ufeff{}")]])(
    "sends other bytes through base64: %j",
    (body) => {
      const { given, input } = run(curlCommand({ url, headers: {}, body }) ?? "");
      expect(given).toEqual(["--include", url, "--data-binary", "@-"]);
      expect(input()).toEqual(body);
    },
  );

  test("is not available for a body that no command line can hold", () => {
    expect(curlCommand({ url, headers: {}, body: Buffer.alloc(200_000, "x") })).toBeUndefined();
  });
});
