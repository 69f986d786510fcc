import type { ThrottleKey } from "@gatehouse/runtime";
import type { Parsed } from "../body.ts";
import type { Roots } from "../certificates/chain.ts";
import type { AdapterSettings, EndpointSettings } from "../endpoint.ts";
import type { Incoming } from "../incoming.ts";
import type { RejectionReason } from "../reasons.ts";
import type { Mode } from "../states.ts";

/** Signature algorithms. HMACs are compared in constant time; the others are verified with a public key. */
export type Algorithm = HmacAlgorithm | "ed25519" | "rsa-sha256";
export type HmacAlgorithm = "hmac-sha1" | "hmac-sha256" | "hmac-sha512";

export type Signature = { algorithm: Algorithm; bytes: Uint8Array };

/** A part of the signed bytes. Text is UTF-8. */
export type SignedPart = string | Uint8Array;

export type Key = {
  algorithm: Algorithm;
  /** HMAC: the key. Ed25519: the 32 bytes of the public key. RSA: the public key as DER (SubjectPublicKeyInfo). */
  bytes: Uint8Array;
  /**
   * Replaces the signed parts of the claim. Only for schemes that sign the configured secret itself, such as PayPal's
   * webhook id.
   */
  signed?: readonly SignedPart[];
};

/**
 * Signatures and the bytes they sign. One of the signatures must match: senders include several while they rotate a
 * secret.
 */
export type SignedParts = { signatures: readonly Signature[]; signed: readonly SignedPart[] };

export type SignedClaim = SignedParts & {
  kind: "signed";
  /** Unix seconds; null if the scheme has no timestamp. */
  timestamp: number | null;
  /** The rest of a batch in which every event has its own signature. All of them must match as well. */
  rest?: readonly SignedParts[];
};

/** What a delivery claims about its signature, before it is verified. */
export type Claim =
  | { kind: "missing" }
  | { kind: "malformed"; problem: string }
  | { kind: "scheme_unknown"; schemes: readonly string[] }
  | SignedClaim
  /** There is no signature in this scheme. `Adapter.fetchBack` asks the provider instead. */
  | { kind: "fetch_back" };

/** What identifies an event. Each is null if the sender gave none that can be stored. */
export type EventIdentity = {
  id: string | null;
  type: string | null;
  /** The object that the event is about. Handlers can run the events of one object in order. */
  objectKey: string | null;
  /** The provider's own mark. Left out, or undefined, if there is none. */
  mode?: Mode | undefined;
  /** Identifies the event instead of its id, or of the body if it has none. */
  dedupeText?: string;
  /** The event's part of a batch. Left out if the event is the whole payload. */
  payload?: unknown;
};

/** What a delivery signed by {@link Adapter.sign} contains. */
export type MessageToSign = {
  body: Uint8Array;
  /** The event type, for providers that send it in a header. */
  type: string | null;
  /** The event id, for providers that send it in a header. */
  id: string;
  secret: string;
  /** Unix seconds. */
  timestamp: number;
  /** The public URL of the endpoint. */
  url: string;
  settings: AdapterSettings;
};

/** The delivery as the provider would send it, or why this secret cannot sign one. */
export type SignedMessage = { headers: Record<string, string>; body: Uint8Array } | { problem: string };

/**
 * What an adapter can fetch. Each rejects if the provider cannot be reached; the delivery is then answered with 503.
 */
export type FetchDeps = {
  /** Unix seconds. */
  now: () => number;
  /** The network that the delivery came from, by which requests are counted. */
  sender: ThrottleKey;
  /**
   * Downloads a certificate or a chain of them, PEM or DER, without following redirects. The adapter has checked the
   * URL.
   */
  fetchCertificate: (url: string) => Promise<Uint8Array>;
  /** The certificate authorities to trust. Those of Node by default. */
  trustedRoots?: Roots;
  /**
   * Gets JSON with the API key as bearer token. Resolves to undefined if the provider answers 404. The adapter built
   * the URL.
   */
  fetchBack: (url: string, apiKey: string) => Promise<unknown>;
};

export type AdapterFacts = {
  /** How long the provider waits for the response; null if it does not say. */
  ackTimeoutMs: number | null;
  /** One sentence: when the provider sends a refused delivery again. */
  retries: string;
  /** How long after the event the provider sends it for the last time by itself; null if it does not say. */
  givesUpAfterSeconds: number | null;
  /**
   * After how long without an accepted delivery the provider disables the whole webhook. Left out if it never does, or
   * does not say.
   */
  disablesAfterSeconds?: number;
  /** For how many days the provider can send an event again on request; null if it cannot, or does not say. */
  resendWindowDays: number | null;
  /** Where the provider shows the secret. */
  secretHelp: string;
  docsUrl: string;
  /** What identifies an event: an id of the provider, or the hash of the body. */
  dedupe: "provider_id" | "body_hash";
  /** Whether the provider has an API that lists past events. */
  reconcile: boolean;
  /** For how many days the keys of events must be kept, because the provider can still repeat them. At least 90. */
  keepDays: number;
};

/** A member of an endpoint's settings that an admin can change. The console shows it as a field of a form. */
export type SettingsField = {
  /** The name of the member. */
  name: string;
  label: string;
  /** One or two sentences: what it is for, and its default. */
  help: string;
  kind: "text" | "url" | "number" | "switch" | "choice";
  /** For a choice. */
  options?: readonly { value: string; label: string }[];
  placeholder?: string;
};

/** How a provider checks a new URL: by a GET that anybody can send. */
export type Handshake = {
  /** Returns undefined if the request is not such a check. */
  answer(query: URLSearchParams, endpoint: EndpointSettings): Response | undefined;
  /**
   * Whether an answer can contain the signature of these parts. They are then refused as a delivery: anybody can have
   * them signed. False for all parts if answers contain no signature.
   */
  canSign(signed: readonly SignedPart[]): boolean;
};

/** The scheme of one provider: data and pure functions. */
export type Adapter = {
  /** The display name. */
  name: string;
  /** Where the signature is, for messages: `the Stripe-Signature header`. */
  signatureName: string;
  /**
   * The maximum difference between the signed timestamp and our clock, in either direction. Null if the scheme has no
   * timestamp.
   */
  toleranceSeconds: number | null;
  /** The media types of the body, in lower case. */
  contentTypes: readonly string[];
  /** The same for this delivery, where it depends on the endpoint's settings or on headers. */
  contentTypesOf?(incoming: Incoming): readonly string[];
  readClaim(incoming: Incoming): Claim;
  /** The keys that a configured secret (trimmed, not empty) stands for. Empty if the provider cannot have issued it. */
  keysOf(secret: string, settings: AdapterSettings): readonly Key[];
  /**
   * Whether people choose the secret, so that it can be a sentence. False by default: the provider makes it, without
   * white space.
   */
  typedSecrets?: boolean;
  /**
   * The keys of a verification that needs more than the secret, such as PayPal's certificate. Replaces those of
   * `keysOf`.
   */
  fetchKeys?(claim: SignedClaim, incoming: Incoming, secret: string, deps: FetchDeps): Promise<readonly Key[]>;
  /**
   * For schemes without a signature: the events as the provider's API confirms them. Empty if it does not know them.
   */
  fetchBack?(incoming: Incoming, payload: unknown, apiKey: string, deps: FetchDeps): Promise<readonly EventIdentity[]>;
  /**
   * At least one event; several if the provider sends batches. `payload` is any JSON value, or undefined if there is
   * none.
   */
  identify(incoming: Incoming, payload: unknown): readonly [EventIdentity, ...EventIdentity[]];
  /** Parses the body. JSON in UTF-8 by default. Returns undefined if it cannot be parsed. */
  parse?(body: Uint8Array): Parsed | undefined;
  /** Only for providers that check the URL before they use it. */
  handshake?: Handshake;
  /** Where the provider wants another response: the body of a 200, as text, or the status of a refusal. */
  answers?: { accepted?: string; statuses?: Partial<Record<RejectionReason, number>> };
  /** The settings that the adapter reads, besides `toleranceSeconds`. None by default; others are rejected. */
  settingsFields?: readonly SettingsField[];
  /** Every problem with the settings of an endpoint, by the path of the field. None by default. */
  settingsProblems?(settings: AdapterSettings): readonly { path: string; message: string }[];
  /** Values that the provider's test tools sign with instead of the configured secret. */
  testSecrets?: readonly string[];
  /**
   * Signs a body as the provider would, for samples, the command line and tests. Returns the headers that the scheme
   * needs.
   */
  sign(message: MessageToSign): SignedMessage;
  facts: AdapterFacts;
  /**
   * Payloads by event type. The string `{id}` in them stands for the event's id. A payload that is a string is the body
   * as it is.
   */
  samples: Readonly<Record<string, unknown>>;
};
