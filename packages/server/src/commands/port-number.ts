import { InvalidArgumentError } from "commander";

/** The port that an option names. Throws InvalidArgumentError. */
export function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) > 0 && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError("It must be a port number.");
}
