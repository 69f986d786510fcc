import { brotliDecompressSync } from "node:zlib";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

let unpacked: ReadonlySet<string> | undefined;

/** Every common password, folded. Unpacked once, when the first password is chosen. */
export function commonPasswords(): ReadonlySet<string> {
  unpacked ??= new Set(brotliDecompressSync(Buffer.from(COMMON_PASSWORDS, "base64")).toString("utf8").split("\n"));
  return unpacked;
}

/** Whether attackers try this password first. `folded` as `foldPassword` returns it. PW-03. */
export function isCommonPassword(folded: string): boolean {
  return commonPasswords().has(folded);
}
