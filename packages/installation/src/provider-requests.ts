import type { FetchBytes } from "@gatehouse/auth";
import type { ReceiveDeps } from "@gatehouse/webhooks";

/** Below the time that providers wait for a response. A certificate can need its issuer's too. */
const CERTIFICATE_LIMITS = { maxBytes: 65_536, timeoutMs: 2000 };
const OBJECT_LIMITS = { maxBytes: 262_144, timeoutMs: 4000 };

/**
 * Requests to payment providers under the guard of all outbound requests. Each rejects if the provider gives no usable
 * answer.
 */
export function createProviderRequests(fetchBytes: FetchBytes): ReceiveDeps["outbound"] {
  return {
    fetchCertificate: async (url) => {
      const { status, bytes } = await fetchBytes(url, { ...CERTIFICATE_LIMITS, headers: { Accept: "*/*" } });
      if (status !== 200) throw new Error(`the certificate was answered with status ${status}`);
      return bytes;
    },
    fetchBack: async (url, apiKey) => {
      const { status, bytes } = await fetchBytes(url, {
        ...OBJECT_LIMITS,
        headers: { Authorization: `Bearer ${apiKey}` },
      });
      if (status === 404) return undefined;
      if (status !== 200) throw new Error(`the object was answered with status ${status}`);
      return JSON.parse(Buffer.from(bytes).toString("utf8"));
    },
  };
}
