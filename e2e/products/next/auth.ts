import { readFileSync } from "node:fs";
import { gatehouse } from "@gatehouse/sdk/next";

const { CLOCK_FILE = "", GATEHOUSE_ISSUER = "", RELAY = GATEHOUSE_ISSUER, ROTATION, CHECK } = process.env;

/** As a product has it, but for a clock that the tests move and a relay between it and the server. */
export const { auth, handlers, proxy, getAccessToken } = gatehouse({
  rotation: ROTATION === "on",
  check: CHECK ? Number(CHECK) : undefined,
  now: () => Date.now() + Number(readFileSync(CLOCK_FILE, "utf8")),
  fetch: (input, init) => fetch(String(input).replace(GATEHOUSE_ISSUER, RELAY), init),
});
