import type { CDPSession, Page } from "@playwright/test";

export type VirtualAuthenticator = {
  credentials(): Promise<{ credentialId: string; isResidentCredential: boolean; userHandle?: string }[]>;
  /** Whether it answers requests by itself, as if its user touched it at once. */
  setPresence(present: boolean): Promise<void>;
  /** Whether it can tell that its user is there: fingerprint, face or PIN. */
  setVerified(verified: boolean): Promise<void>;
  remove(): Promise<void>;
};

/** Adds an authenticator that is built into the device to the browser of `page`. */
export async function addVirtualAuthenticator(page: Page, { present = true } = {}): Promise<VirtualAuthenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: present,
    },
  });
  return {
    credentials: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    setPresence: async (enabled) =>
      void (await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })),
    setVerified: async (isUserVerified) =>
      void (await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })),
    remove: async () => void (await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId })),
  };
}

/**
 * Makes the browser of `page` one that suggests no passkeys, from its next page on. A virtual authenticator accepts a
 * suggestion the moment it is offered, so a test of the button would race with the page's own request.
 */
export async function withoutSuggestions(page: Page): Promise<void> {
  await page.addInitScript(
    `if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false;`,
  );
}
