import type { Client } from "../clients/client.ts";
import { matchPreviewSlot, matchRedirectUri, matchTestRunUri, type ProvenRedirectUri } from "../clients/redirect-uri.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import { findSlotByUri, type PreviewSlot } from "../preview-slots/preview-slot.ts";
import { type AvailableResources, availableResources, type RegistryDeps } from "../resources/registry.ts";
import type { AuthorizationParameters } from "./parameters.ts";

/** The client and its proven redirect URI. Without both there is no redirect. OAuth 2.1 §4.1.2.1. */
export type RedirectTarget = {
  client: Client;
  redirectUri: ProvenRedirectUri;
  state: string | undefined;
  available: AvailableResources;
  /** The slot whose redirect URI it is; undefined for a registered one. CO-28. */
  previewSlot?: PreviewSlot;
};

/** Finds the client and proves its redirect URI. Throws errors for our own page, with 400 (AZ-06 … AZ-09, RU-10, CI-04). */
export async function findRedirectTarget(
  parameters: AuthorizationParameters,
  deps: RegistryDeps & Pick<Deps, "store" | "now">,
): Promise<RedirectTarget> {
  const { values } = parameters;
  requireOnce(parameters, "client_id");
  requireOnce(parameters, "redirect_uri");
  return redirectTargetFor(parameters, await findEnabledClient(values.client_id, deps), deps);
}

/** Proves the redirect URI of a known client. Throws as {@link findRedirectTarget} does. */
export async function redirectTargetFor(
  { values, testRun }: AuthorizationParameters,
  client: Client,
  deps: RegistryDeps & Pick<Deps, "store" | "now">,
): Promise<RedirectTarget> {
  if (values.redirect_uri === undefined) {
    throw pageError(
      "redirect_uri_missing",
      "redirect_uri missing",
      "The application did not say where to send you back to: redirect_uri is missing.",
    );
  }
  const match = testRun
    ? matchTestRunUri(testRun, client, deps.config.consoleCallback, values.redirect_uri)
    : matchRedirectUri(client, values.redirect_uri);
  if (!match.ok) {
    if (testRun) {
      const text = "A test run can redirect only to the console.";
      throw pageError("test_run_redirect_differs", "not the console's callback, or a run of another client", text, match.difference);
    }
    const slot = await findSlotByUri(client, values.redirect_uri, deps);
    if (slot) return { ...(await slotTarget(slot, client, values.redirect_uri, deps)), state: values.state };
    const text = "The application asked to send you back to an address that is not registered for it. Nothing was sent there.";
    throw pageError("redirect_uri_unregistered", "redirect_uri is not registered for this client", text, match.difference);
  }
  return { client, redirectUri: match.uri, state: values.state, available: await availableResources(client, deps) };
}

/** Throws if the slot has ended, or its client lost the frame. CO-30. */
async function slotTarget(
  slot: PreviewSlot,
  client: Client,
  sent: string,
  deps: RegistryDeps & Pick<Deps, "now">,
): Promise<Omit<RedirectTarget, "state">> {
  const redirectUri = matchPreviewSlot(slot, client, sent, deps.now());
  if (redirectUri !== undefined) return { client, redirectUri, available: await availableResources(client, deps), previewSlot: slot };
  const text = "This preview has ended. Nothing was sent to it. Deploy it again, or ask the team of the application.";
  throw pageError("preview_slot_ended", "the preview slot with this redirect_uri has ended", text, {
    slot: slot.key,
    sent: slot.redirectUri,
  });
}

/** Could this be a client id? Any other value is not looked up. */
export function isClientId(value: string): boolean {
  return /^[\x21-\x7E]{1,255}$/.test(value);
}

async function findEnabledClient(clientId: string | undefined, deps: Pick<Deps, "store">): Promise<Client> {
  if (clientId === undefined)
    throw pageError("client_missing", "client_id missing", "The application did not identify itself: client_id is missing.");
  const client = isClientId(clientId) ? await deps.store.findClient(clientId) : undefined;
  if (!client) throw pageError("client_unknown", "no client with this client_id", "This application is not registered here.");
  if (!client.enabled)
    throw pageError("client_disabled", "the client is disabled", "This application has been disabled by an administrator.");
  return client;
}

function requireOnce({ repeated }: AuthorizationParameters, name: "client_id" | "redirect_uri"): void {
  if (!repeated.includes(name)) return;
  throw pageError("parameter_repeated", `${name} sent more than once`, `The request is ambiguous: it contains ${name} more than once.`, {
    parameter: name,
  });
}

function pageError(cause: RefusalCause, message: string, description: string, detail: RefusalDetail = {}): OAuthError {
  return new OAuthError("invalid_request", cause, message, { status: 400, description, detail });
}
