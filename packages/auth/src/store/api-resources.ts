import type { Environment } from "../clients/client.ts";
import type { SigningAlgorithm } from "../clients/options.ts";

/** Every {@link Attacher}. */
export const ATTACHERS = ["admins", "developers"] as const;
/** Who may let a client request tokens for a resource: admins only, or also developers for the clients they manage. */
export type Attacher = (typeof ATTACHERS)[number];

/** Every {@link StrangerPolicy}. */
export const STRANGER_POLICIES = ["refused", "asked"] as const;
/** Whether clients that no admin registered get tokens for the resource: never, or when the user allows it. D21. */
export type StrangerPolicy = (typeof STRANGER_POLICIES)[number];

/** An API that clients can request tokens for. RFC 8707. Our own API (`config.resource`) has no row. */
export type ApiResource = {
  /** Absolute https (or loopback http) URI without fragment, as clients send it. */
  id: string;
  name: string;
  /**
   * Its scopes, with the text for the consent page. Names are unique across all resources and differ from those of
   * `Config.scopes`.
   */
  scopes: { name: string; description: string }[];
  /**
   * `jwt`: RFC 9068, which the API can verify by itself; introspection and our own guard still see revocation at once.
   */
  tokenFormat: "opaque" | "jwt";
  tokenAlgorithm: SigningAlgorithm;
  /** Environments whose clients may request its tokens; null for the default, which depends on the issuer. D22. */
  environments: Environment[] | null;
  attachedBy: Attacher;
  strangers: StrangerPolicy;
  createdAt: number;
  disabledAt: number | null;
};

export type ResourceStore = {
  /** Every resource, including disabled ones. */
  listResources(): Promise<ApiResource[]>;
};
