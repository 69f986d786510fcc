import { sign } from "node:crypto";
import { readRoots } from "../certificates/chain.ts";
import { crc32 } from "../crc32.ts";
import type { ReceiveDeps } from "../hit.ts";
import type { MessageToSign, SignedMessage } from "../providers/adapter.ts";
import { issue } from "./authority.ts";
import { UNREACHABLE_PROVIDERS } from "./outbound.ts";

const HOSTNAME = "messageverificationcerts.paypal.com";
export const PAYPAL_CERTIFICATE_URL = "https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270";

/** A sender that signs as PayPal does, with a certificate of an authority of its own. */
export async function createPayPalSender() {
  const root = await issue({ name: "Root", authority: true });
  const leaf = await issue({ name: HOSTNAME, hostnames: [HOSTNAME], issuer: root });
  const outbound: ReceiveDeps["outbound"] = {
    ...UNREACHABLE_PROVIDERS,
    fetchCertificate: async () => Buffer.from(leaf.pem),
    trustedRoots: readRoots([root.pem]),
  };

  function signMessage({ body, id, secret, timestamp }: MessageToSign): SignedMessage {
    const time = new Date(timestamp * 1000).toISOString().replace(".000Z", "Z");
    const signature = sign("sha256", Buffer.from(`${id}|${time}|${secret}|${crc32(body)}`), leaf.privateKeyPem);
    const headers = {
      "content-type": "application/json",
      "paypal-transmission-id": id,
      "paypal-transmission-time": time,
      "paypal-transmission-sig": signature.toString("base64"),
      "paypal-auth-algo": "SHA256withRSA",
      "paypal-cert-url": PAYPAL_CERTIFICATE_URL,
    };
    return { headers, body };
  }
  return { outbound, sign: signMessage, root, leaf };
}
