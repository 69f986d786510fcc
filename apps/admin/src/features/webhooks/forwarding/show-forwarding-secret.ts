import { showSecrets } from "@/features/configuration/show-secrets.tsx";

/** Shows a new secret once. */
export function showForwardingSecret(secret: string, endpoint: string): void {
  showSecrets([{ name: `Forwarding of ${endpoint}`, clientId: null, secret }]);
}
