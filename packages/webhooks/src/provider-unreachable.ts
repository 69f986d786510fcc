/**
 * A provider could not be asked for what a delivery needs. The delivery is answered with 503, so that the provider
 * sends it again.
 */
export class ProviderUnreachable extends Error {
  override readonly name = "ProviderUnreachable";
}
