import type { ReceiveDeps } from "../hit.ts";

const unreachable = () => Promise.reject(new Error("no network in this test"));

/** Requests to providers, all of which fail. */
export const UNREACHABLE_PROVIDERS: ReceiveDeps["outbound"] = { fetchCertificate: unreachable, fetchBack: unreachable };
