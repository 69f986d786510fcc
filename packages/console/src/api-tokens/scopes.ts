/**
 * What an API token can be allowed, and whether that can be narrowed to one client, or has to be (`oneClient`). CO-29,
 * CO-70.
 */
export const API_TOKEN_SCOPES = {
  "clients:read": {
    description: "Read applications and clients, with their settings and use. Never a secret.",
    ofClient: true,
  },
  "audit:read": { description: "Read, verify and export the audit log.", ofClient: false },
  "deliveries:read": { description: "Read and export webhook deliveries, without payloads.", ofClient: false },
  "config:plan": {
    description: "Export the configuration, plan what applying a file would change, and list drift.",
    ofClient: false,
  },
  "config:apply": {
    description: "Apply a file to the configuration. It can change and remove everything that a file can name.",
    ofClient: false,
  },
  "failures:read": { description: "Read why requests were refused.", ofClient: false },
  "previews:write": { description: "Put and end the preview slots of one client.", ofClient: true, oneClient: true },
} as const satisfies Record<string, { description: string; ofClient: boolean; oneClient?: boolean }>;

export type ApiTokenScope = keyof typeof API_TOKEN_SCOPES;
