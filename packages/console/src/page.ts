import { type Position, readCursor } from "@gatehouse/db/query/page";
import { invalid } from "./domain-error.ts";

/** The position that a cursor encodes. Throws `invalid` for a cursor that we did not create. */
export function positionOf(cursor: string | null | undefined): Position | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const position = readCursor(cursor);
  if (!position) throw invalid([{ path: "cursor", message: "must be the nextCursor of the previous page, or left out" }]);
  return position;
}
