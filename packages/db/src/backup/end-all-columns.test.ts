import { readFileSync } from "node:fs";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, expectTypeOf, test } from "vitest";
import * as schema from "../schema/sqlite/index.ts";
import type { EndedCounts } from "./end-all.ts";

/**
 * Every column that holds a credential, or decides whether one is valid or how much it can do, and what a restore does
 * about it. `ends`: no row is valid any more, see end-all.test.ts. `with its grant`, `with its client's epoch`: dead
 * because of that. `kept`: the decision page says why.
 */
const CREDENTIALS = {
  access_tokens: {
    hash: "with its client's epoch",
    client_epoch: "with its client's epoch",
    expires_at: "with its client's epoch",
    revoked_at: "with its client's epoch",
  },
  api_tokens: { hash: "ends", expires_at: "ends", ended_at: "ends" },
  authorization_codes: {
    hash: "with its grant",
    expires_at: "with its grant",
    redeemed_at: "with its grant",
    failed_attempts: "with its grant",
  },
  client_blocks: { expires_at: "kept", value: "kept" },
  client_secrets: { hash: "kept", expires_at: "kept", revoked_at: "kept" },
  clients: {
    access_epoch: "ends",
    options: "kept",
    registration_token_hash: "kept",
    confirmed_at: "kept",
    approved_at: "kept",
    disabled_at: "kept",
    redirect_uris: "kept",
    scopes: "kept",
    first_party: "kept",
    resource_server: "kept",
    preview_frame: "kept",
  },
  consents: { scope: "kept", audience: "kept", identity: "kept" },
  device_codes: {
    hash: "ends",
    user_code: "ends",
    expires_at: "ends",
    approved_at: "ends",
    denied_at: "ends",
    redeemed_at: "ends",
  },
  grants: { scope: "ends", access_epoch: "ends", revoked_at: "ends" },
  identities: { subject: "kept" },
  initial_access_tokens: { hash: "ends", expires_at: "ends", remaining: "ends" },
  invitations: { hash: "ends", expires_at: "ends", accepted_at: "ends", withdrawn_at: "ends" },
  jobs: { payload: "kept" },
  mailed_tokens: {
    hash: "ends",
    code_hash: "ends",
    tries: "ends",
    browser: "ends",
    data: "ends",
    sign_in_epoch: "ends",
    expires_at: "ends",
    spent_at: "ends",
  },
  mails: { payload: "kept" },
  passkeys: { public_key: "kept", counter: "kept" },
  preview_slots: { redirect_uri: "ends", ends_at: "ends" },
  preview_grants: { grant_id: "with its grant" },
  pushed_requests: { hash: "ends", parameters: "ends", expires_at: "ends", used_at: "ends" },
  rate_limits: { points: "kept" },
  recovery_codes: { hash: "ends", used_at: "ends" },
  refresh_families: {
    current_hash: "with its grant",
    previous_hash: "with its grant",
    generation: "with its grant",
    bound_from: "with its grant",
    expires_at: "with its grant",
    absolute_expires_at: "with its grant",
    rotated_at: "with its grant",
    rotation_id: "with its grant",
    access_expires_at: "with its grant",
    sealed_response: "with its grant",
  },
  remembered_browsers: { hash: "ends", sign_in_epoch: "ends", expires_at: "ends" },
  removed_objects: { rows: "kept" },
  sessions: {
    hash: "ends",
    acr: "ends",
    second_at: "ends",
    expires_at: "ends",
    absolute_expires_at: "ends",
    access_epoch: "ends",
    revoked_at: "ends",
  },
  settings: { values: "kept" },
  sign_in_providers: { secret: "kept", issuer: "kept", enabled: "kept", settings: "kept" },
  signing_keys: { sealed_private_jwk: "kept", retired_at: "kept", remove_after: "kept" },
  spent_ids: { hash: "kept" },
  test_runs: { grant_id: "with its grant", expires_at: "with its grant" },
  totp_secrets: { secret: "kept", last_step: "ends" },
  users: {
    email: "kept",
    password_hash: "kept",
    must_change_password: "kept",
    role: "kept",
    disabled_at: "kept",
    email_verified_at: "kept",
    access_epoch: "ends",
    sign_in_epoch: "ends",
    delete_after: "kept",
  },
  webhook_endpoints: { settings: "kept", forward: "kept", disabled_at: "kept" },
  webhook_reruns: { role: "kept" },
  webhook_secrets: { sealed: "kept", expires_at: "kept", removed_at: "kept" },
} as const satisfies Record<string, Record<string, "ends" | "with its grant" | "with its client's epoch" | "kept">>;

type Decisions = typeof CREDENTIALS;
type WithEnds = {
  [Table in keyof Decisions]: "ends" extends Decisions[Table][keyof Decisions[Table]] ? Table : never;
}[keyof Decisions];

/**
 * All other columns: ids, names, times and facts. A column that is in neither list makes the test below fail until
 * somebody decides.
 */
const OTHERS = `
api_tokens: id hint name maker_id scopes environments client_id first_party_origins created_at last_used_at
audit: id at actor_id actor_name role via action object environment detail address object_name user_agent request_id number hash mac key_id
audit_chain: id number hash mac key_id pruned_number pruned_hash pruned_mac
applications: id name description created_at version
clients: id application_id name environment type post_logout_redirect_uris grant_types refresh_retry_seconds created_at updated_at origin last_used_at document_host software_id version
client_hosts: kind host client_id
client_secrets: id client_id hint created_at last_used_at
client_blocks: kind reason created_at
initial_access_tokens: name created_at
removed_objects: id kind name environment application_id application_name removed_at removed_by
used_client_ids: id client_name application_id removed_at
authorization_codes: grant_id client_id user_id redirect_uri code_challenge scope audience auth_time context created_at
device_codes: client_id scope audience requested_address requested_user_agent interval_seconds last_polled_at created_at user_id grant_id context exemption_id
pushed_requests: client_id dpop_jkt exemption_id
spent_ids: expires_at
passkeys: credential_id user_id algorithm transports aaguid name backup_eligible backed_up user_verified rp_id created_at last_used_at
totp_secrets: user_id created_at last_used_at
recovery_codes: user_id created_at
remembered_browsers: id user_id user_agent address created_at last_used_at
refusal_groups: key cause endpoint client_id difference first_at last_at count muted_until resolved_at regressed_at
refusal_group_hours: group_key at count
refusals: user_id error_id at endpoint error cause message detail client_id address group_key
grants: id client_id user_id created_at session_id sid revoked_reason
consents: user_id client_id allowed_at
jobs: id queue order_key run_at attempts lease_token last_error dead_at created_at
leases: name holder until
mailed_tokens: purpose user_id email created_at
invitations: id email role invited_by created_at
mails: id kind recipient user_id locale state attempts answer expires_at created_at sent_at
managed_objects: kind object file settings locked applied_at applied_by audit_from unlocked_at unlocked_by
rate_limits: key expire
installation: key value
account_events: id user_id at kind user_agent address detail logged
user_pictures: user_id type bytes updated_at
application_branding: application_id settings logo logo_type updated_at
preview_slots: id client_id key maker_id maker_name created_at renewed_at
preview_grants: slot_id
api_resources: id name scopes token_format token_algorithm environments attached_by strangers created_at disabled_at version
signing_keys: kid algorithm public_jwk created_at active_from
saved_views: id user_id list name query shared created_at
sessions: id user_id auth_time amr method persistent upstream user_agent address created_at last_seen_at
settings: id version
installation_logo: id type bytes updated_at
sign_ins: id at outcome cause factor user_id email_hash typed_email level client_id address user_agent detail bucket
sign_in_providers: id preset name client_id position created_at updated_at version
identities: id user_id provider issuer email created_at last_used_at
stat_hour: at environment metric key count
stat_day: at environment metric key count
test_runs: id client_id operator_id created_at
access_tokens: id grant_id client_id user_id scope audience context environment issued_at
refresh_families: id grant_id scope audience context created_at
client_day: client_id day metric count
secret_day: secret_id day uses
uri_day: client_id uri_hash day uses
scope_day: client_id scope day uses
client_use: client_id last_token_at
application_use: application_id last_token_at refusals
application_refusals: application_id hour count
totals: name count
users: id name password_set_at last_signed_in_at created_at registered_by locale webauthn_user_id external_id picture_id profile_changed_at
webhook_reruns: id trigger actor_id actor_name selection state cursor total total_known succeeded failed skipped problems created_at finished_at
webhook_reconciliations: endpoint cursor complete_up_to recovered next_run_at last_run_at last_error
webhook_endpoints: slug provider environment name created_at version last_accepted_at last_refused_at last_refused_reason
webhook_secrets: id endpoint kind hash hint name created_at last_matched_at
webhook_deliveries: id endpoint environment received_at method outcome reason status event_type event_id mode event_key secret_id skew_seconds headers body body_bytes ack_ms address source
webhook_events: endpoint key delivery_id received_at event_type state
webhook_attempts: id delivery_id endpoint event_key handler trigger started_at ms outcome status error stack actor
webhook_effects: endpoint event_key handler name created_at
`;

const others = new Map(
  OTHERS.trim()
    .split("\n")
    .map((line) => line.split(": "))
    .map(([table = "", columns = ""]) => [table, columns.split(" ").filter(Boolean)] as const),
);

describe("what a restore ends, OP-52", () => {
  const tables = Object.values(schema).filter((table) => is(table, SQLiteTable));

  test.each(tables.map((table) => [getTableName(table), table] as const))(
    "OP-52 it is decided for every column of %s",
    (name, table) => {
      const decided = Object.keys((CREDENTIALS as Record<string, object>)[name] ?? {});
      const columns = Object.values(getTableColumns(table)).map((column) => column.name);
      expect([...decided, ...(others.get(name) ?? [])].toSorted()).toEqual(columns.toSorted());
    },
  );

  test("OP-52 a restore ends rows of every table with a column that ends, and reports how many", () => {
    expectTypeOf<Exclude<WithEnds, "clients" | "users" | "totp_secrets">>().toEqualTypeOf<keyof EndedCounts>();
  });

  test("OP-52 the decision page says of every credential that stays why it does", () => {
    const page = readFileSync(
      new URL("../../../../docs/decisions/0024-what-a-restore-ends.md", import.meta.url),
      "utf8",
    );
    const kept = Object.entries(CREDENTIALS).flatMap(([table, columns]) =>
      Object.entries(columns).flatMap(([column, decision]) => (decision === "kept" ? [`${table}.${column}`] : [])),
    );
    expect(kept.filter((column) => !page.includes(`\`${column}\``))).toEqual([]);
    const named = [...page.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, column]) => column);
    expect(named.filter((column) => column !== undefined && !kept.includes(column))).toEqual([]);
  });
});
