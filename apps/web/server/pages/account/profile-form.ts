import { readName as nameOf } from "@gatehouse/accounts";
import type { Texts } from "@gatehouse/languages";

/** Reads a name: one line of at most 80 characters. RG-09. */
export function readName(typed: string, { signUp }: Texts): { name: string } | { problem: string } {
  const name = nameOf(typed);
  return name === undefined ? { problem: signUp.nameInvalid } : { name };
}
