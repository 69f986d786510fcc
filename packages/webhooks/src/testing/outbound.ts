import { siteKey } from "@gatehouse/runtime";
import type { ReceiveDeps } from "../hit.ts";

const unreachable = () => Promise.reject(new Error("no network in this test"));

/** Requests to providers, all of which fail. */
export const UNREACHABLE_PROVIDERS: ReceiveDeps["outbound"] = { fetchCertificate: unreachable, fetchBack: unreachable };

/** The network of a delivery, by which requests to providers are counted. */
export const SENDER = siteKey({ address: "192.0.2.1" });
