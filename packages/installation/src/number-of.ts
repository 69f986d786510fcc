import { z } from "zod";

/** A variable with a whole number within bounds, both included. */
export const numberOf = (unit: string, least: number, most: number) =>
  z.coerce.number(`must be a number of ${unit} from ${least} to ${most}`).int().min(least).max(most);
