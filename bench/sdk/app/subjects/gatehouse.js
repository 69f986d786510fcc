import { gatehouse } from "@gatehouse/sdk/next";

const { ISSUER = "", RELAY = "", NOW = "0" } = process.env;

/** As a product has it, but that its server is the benchmark, and its clock stands still: always between two checks. */
export const { auth, proxy } = gatehouse({
  fetch: (input, init) => fetch(String(input).replace(ISSUER, RELAY), init),
  now: () => Number(NOW),
});
export const guarded = proxy({ protect: ["/proxied(.*)"] });
export const whoIsIt = async () => (await auth()).user?.email;
