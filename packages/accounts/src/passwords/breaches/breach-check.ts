import { createHash } from "node:crypto";
import type { FetchBytes } from "@gatehouse/auth";
import { normalisePassword } from "../characters.ts";
import { isInHashFile } from "./hash-file.ts";
import { isInRange } from "./range.ts";

/** Where passwords of breaches are looked up. `range`: `url` followed by five hex digits. `file`: sorted hashes. */
export type BreachSource = { kind: "off" } | { kind: "range"; url: string } | { kind: "file"; path: string };

/** Is this password known from a breach? False if that cannot be found out. PW-04. */
export type BreachCheck = (password: string) => Promise<boolean>;

type BreachDeps = {
  fetchBytes: FetchBytes;
  /** Called when a lookup fails: people can sign in all the same. */
  onError: (error: unknown) => void;
};

/** SHA-1 is the key of the public lists. Nothing is stored or compared under it here. */
export function createBreachCheck(source: BreachSource, { fetchBytes, onError }: BreachDeps): BreachCheck {
  if (source.kind === "off") return async () => false;
  const find = (hash: string) =>
    source.kind === "range" ? isInRange(source.url, hash, fetchBytes) : isInHashFile(source.path, hash);
  return async (password) => {
    const hash = createHash("sha1").update(normalisePassword(password)).digest("hex").toUpperCase();
    return find(hash).catch((error: unknown) => {
      onError(error);
      return false;
    });
  };
}
