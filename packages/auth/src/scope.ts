/** A scope as users and admins read it. */
export type ScopeDefinition = {
  /** Completes "This will let it …". */
  description: string;
  /** `identity`: OpenID Connect's names · `api`: our protected resource · `console`: first-party clients only. */
  kind: "identity" | "api" | "console";
};

/** Every scope there is. A new scope is one line here. */
export const SCOPES = {
  openid: { description: "confirm who you are", kind: "identity" },
  profile: { description: "see your name", kind: "identity" },
  email: { description: "see your e-mail address", kind: "identity" },
  address: { description: "see your postal address", kind: "identity" },
  phone: { description: "see your phone number", kind: "identity" },
  offline_access: { description: "keep access while you are away", kind: "identity" },
  "api:read": { description: "read your data through the API", kind: "api" },
  "api:write": { description: "change your data through the API", kind: "api" },
  "console:read": { description: "look at applications, users and deliveries", kind: "console" },
  "console:write": { description: "manage applications, users and deliveries", kind: "console" },
} as const satisfies Record<string, ScopeDefinition>;

export type ScopeName = keyof typeof SCOPES;
