import { verify } from "@node-rs/bcrypt";
import { bounded, HashFormatError, MOST, type StoredHash } from "./format.ts";

/** `$2b$12$…`. Only the first 72 bytes of the password count, as wherever the hash was made. */
export function readBcrypt(encoded: string): StoredHash {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(encoded) ?? [];
  if (cost === undefined) throw new HashFormatError("the bcrypt hash is not complete");
  bounded("cost", String(Number(cost)), MOST.bcryptCost);
  return { kind: "bcrypt", matches: (password) => verify(password, encoded) };
}
