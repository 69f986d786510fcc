import { type Position, readCursor } from "@gatehouse/db";
import { invalid } from "./domain-error.ts";

/** The position a request's cursor stands for; throws `invalid` on one that we did not write. */
export function positionOf(cursor: string | null | undefined): Position | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const position = readCursor(cursor);
  if (!position) throw invalid([{ path: "cursor", message: "pass the nextCursor of the page before, unchanged, or leave it out" }]);
  return position;
}
