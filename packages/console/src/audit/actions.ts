/** Every action of the audit log: what was acted on, and how. docs/audit-log.md has the same list. */
export const AUDIT_ACTIONS = {
  api_token: ["create", "revoke"],
  application: ["create", "update", "export", "remove", "restore"],
  audit: ["chain_moved_back", "export", "new_secret", "prune"],
  branding: ["update"],
  client: ["create", "update", "rename", "promote", "enable", "disable", "remove", "restore"],
  client_block: ["create", "lift"],
  client_secret: ["add", "keep", "retire"],
  configuration: ["apply", "unlock"],
  database: ["move", "restore"],
  failure: ["export", "resolve", "mute", "reopen"],
  job: ["drop", "retry"],
  mail: ["retry", "test"],
  preview_frame: ["set"],
  preview_slot: ["end", "put", "renew"],
  registration_token: ["create", "revoke"],
  resource: ["create", "update", "enable", "disable", "remove"],
  saved_view: ["remove", "save"],
  secret: ["accept", "rewrap"],
  self_registered: ["approve", "disapprove", "fetch", "prune"],
  settings: ["update"],
  sign_in_provider: ["create", "update", "enable", "disable", "remove", "test"],
  signing_key: ["distrust", "rotate"],
  test_run: ["end", "start"],
  user: [
    "create",
    "update",
    "role",
    "adopt",
    "import",
    "export",
    "vouch",
    "enable",
    "disable",
    "delete",
    "restore",
    "invite",
    "withdraw_invitation",
    "send_reset_link",
    "require_password",
    "reset_second_factors",
    "disconnect_app",
    "disconnect_apps",
    "end_session",
    "end_sessions",
  ],
  webhook: ["delete_body", "export", "replay", "replay_cancel", "reveal", "tail"],
  webhook_endpoint: [
    "create",
    "update",
    "apply",
    "enable",
    "disable",
    "rotate_forwarding_secret",
    "send_test",
    "remove",
  ],
  webhook_secret: ["add", "end"],
} as const;

type Nouns = typeof AUDIT_ACTIONS;
/** Noun and verb, as `webhook_secret.add`. */
export type AuditAction = { [Noun in keyof Nouns]: `${Noun}.${Nouns[Noun][number]}` }[keyof Nouns];

/** What an action changes that its row does not list in `detail.changes`: the existence of its object, or one field. */
export type AuditEffect = "removed" | "enabled" | "branding";

const EFFECTS: Partial<Record<AuditAction, AuditEffect>> = {
  "application.remove": "removed",
  "client.remove": "removed",
  "resource.remove": "removed",
  "sign_in_provider.remove": "removed",
  "webhook_endpoint.remove": "removed",
  "client.enable": "enabled",
  "client.disable": "enabled",
  "resource.enable": "enabled",
  "resource.disable": "enabled",
  "sign_in_provider.enable": "enabled",
  "sign_in_provider.disable": "enabled",
  "webhook_endpoint.enable": "enabled",
  "webhook_endpoint.disable": "enabled",
  "branding.update": "branding",
};
/** Rows of the log can have actions of other versions. */
const EFFECT_OF = new Map<string, AuditEffect>(Object.entries(EFFECTS));

/** The effect of an action that changes more than its row lists; undefined for any other. */
export function effectOf(action: string): AuditEffect | undefined {
  return EFFECT_OF.get(action);
}
