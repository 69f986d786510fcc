import { appendFileSync, readFileSync } from "node:fs";
import { gatehouse } from "@gatehouse/sdk/next";

const { CLOCK_FILE = "", REQUESTS_FILE = "", ROTATION } = process.env;

/** As a product has it, but for a clock that the tests move and a log of the requests to the server. */
export const { auth, handlers, proxy, getAccessToken } = gatehouse({
  rotation: ROTATION === "on",
  now: () => Date.now() + Number(readFileSync(CLOCK_FILE, "utf8")),
  fetch: (input, init) => {
    appendFileSync(REQUESTS_FILE, `${init?.method ?? "GET"} ${new URL(String(input)).pathname}\n`);
    return fetch(input, init);
  },
});
