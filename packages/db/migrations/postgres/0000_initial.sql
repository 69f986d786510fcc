CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"name" text NOT NULL,
	"maker_id" text NOT NULL,
	"scopes" json NOT NULL,
	"environments" json NOT NULL,
	"client_id" text,
	"first_party_origins" json NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"role" text NOT NULL,
	"via" text NOT NULL,
	"action" text NOT NULL,
	"object" text NOT NULL,
	"environment" text,
	"detail" json NOT NULL,
	"address" text,
	"object_name" text,
	"user_agent" text,
	"request_id" text,
	"number" bigint,
	"hash" text,
	"mac" text,
	"key_id" text
);
--> statement-breakpoint
CREATE TABLE "audit_chain" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	"mac" text NOT NULL,
	"key_id" text NOT NULL,
	"pruned_number" bigint NOT NULL,
	"pruned_hash" text NOT NULL,
	"pruned_mac" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "applications" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"created_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_blocks" (
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	CONSTRAINT "client_blocks_kind_value_pk" PRIMARY KEY("kind","value")
);
--> statement-breakpoint
CREATE TABLE "client_hosts" (
	"kind" text NOT NULL,
	"host" text NOT NULL,
	"client_id" text NOT NULL,
	CONSTRAINT "client_hosts_kind_host_client_id_pk" PRIMARY KEY("kind","host","client_id")
);
--> statement-breakpoint
CREATE TABLE "client_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"last_used_at" bigint,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" text PRIMARY KEY NOT NULL,
	"application_id" text NOT NULL,
	"name" text DEFAULT 'Main' NOT NULL,
	"environment" text NOT NULL,
	"type" text NOT NULL,
	"redirect_uris" json NOT NULL,
	"post_logout_redirect_uris" json NOT NULL,
	"grant_types" json NOT NULL,
	"scopes" json NOT NULL,
	"first_party" boolean NOT NULL,
	"resource_server" boolean NOT NULL,
	"refresh_retry_seconds" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"options" json DEFAULT '{}'::json NOT NULL,
	"origin" text DEFAULT 'registered' NOT NULL,
	"registration_token_hash" text,
	"confirmed_at" bigint,
	"last_used_at" bigint,
	"approved_at" bigint,
	"document_host" text,
	"software_id" text,
	"disabled_at" bigint,
	"access_epoch" bigint NOT NULL,
	"preview_frame" json,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "initial_access_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"remaining" integer,
	"expires_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "removed_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"environment" text,
	"application_id" text NOT NULL,
	"application_name" text NOT NULL,
	"rows" json NOT NULL,
	"removed_at" bigint NOT NULL,
	"removed_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_client_ids" (
	"id" text PRIMARY KEY NOT NULL,
	"client_name" text NOT NULL,
	"application_id" text NOT NULL,
	"removed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authorization_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"client_id" text NOT NULL,
	"user_id" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"code_challenge" text NOT NULL,
	"scope" text NOT NULL,
	"audience" text,
	"auth_time" bigint NOT NULL,
	"context" json,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"redeemed_at" bigint,
	"failed_attempts" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_code" text NOT NULL,
	"client_id" text NOT NULL,
	"scope" text NOT NULL,
	"audience" text,
	"requested_address" text,
	"requested_user_agent" text,
	"interval_seconds" bigint NOT NULL,
	"last_polled_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"approved_at" bigint,
	"denied_at" bigint,
	"redeemed_at" bigint,
	"user_id" text,
	"grant_id" text,
	"context" json,
	"exemption_id" text
);
--> statement-breakpoint
CREATE TABLE "pushed_requests" (
	"hash" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"parameters" text NOT NULL,
	"dpop_jkt" text,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	"exemption_id" text
);
--> statement-breakpoint
CREATE TABLE "spent_ids" (
	"hash" text PRIMARY KEY NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"credential_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"algorithm" bigint NOT NULL,
	"counter" bigint NOT NULL,
	"transports" json NOT NULL,
	"aaguid" text NOT NULL,
	"name" text NOT NULL,
	"backup_eligible" boolean NOT NULL,
	"backed_up" boolean NOT NULL,
	"user_verified" boolean NOT NULL,
	"rp_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "remembered_browsers" (
	"hash" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"sign_in_epoch" bigint NOT NULL,
	"user_agent" text,
	"address" text,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "totp_secrets" (
	"user_id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"last_step" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "refusal_group_hours" (
	"group_key" text NOT NULL,
	"at" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "refusal_group_hours_group_key_at_pk" PRIMARY KEY("group_key","at")
);
--> statement-breakpoint
CREATE TABLE "refusal_groups" (
	"key" text PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"endpoint" text NOT NULL,
	"client_id" text,
	"difference" text NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"count" bigint NOT NULL,
	"muted_until" bigint,
	"resolved_at" bigint,
	"regressed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "refusals" (
	"error_id" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"endpoint" text NOT NULL,
	"error" text NOT NULL,
	"cause" text NOT NULL,
	"message" text NOT NULL,
	"detail" json NOT NULL,
	"client_id" text,
	"address" text,
	"user_id" text,
	"group_key" text
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"user_id" text NOT NULL,
	"client_id" text NOT NULL,
	"scope" text NOT NULL,
	"audience" text NOT NULL,
	"identity" text NOT NULL,
	"allowed_at" bigint NOT NULL,
	CONSTRAINT "consents_user_id_client_id_pk" PRIMARY KEY("user_id","client_id")
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"user_id" text NOT NULL,
	"scope" text NOT NULL,
	"created_at" bigint NOT NULL,
	"session_id" text,
	"sid" text,
	"access_epoch" bigint DEFAULT 0 NOT NULL,
	"revoked_at" bigint,
	"revoked_reason" text
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"queue" text NOT NULL,
	"order_key" text,
	"payload" json NOT NULL,
	"run_at" bigint NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"lease_token" text,
	"last_error" text,
	"dead_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"accepted_at" bigint,
	"withdrawn_at" bigint
);
--> statement-breakpoint
CREATE TABLE "mailed_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" text,
	"email" text NOT NULL,
	"code_hash" text,
	"tries" bigint DEFAULT 0 NOT NULL,
	"browser" text,
	"data" text,
	"sign_in_epoch" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"spent_at" bigint
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" text,
	"locale" text NOT NULL,
	"state" text NOT NULL,
	"payload" text,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"answer" text,
	"expires_at" bigint,
	"created_at" bigint NOT NULL,
	"sent_at" bigint
);
--> statement-breakpoint
CREATE TABLE "managed_objects" (
	"kind" text NOT NULL,
	"object" text NOT NULL,
	"file" text NOT NULL,
	"settings" json NOT NULL,
	"locked" boolean NOT NULL,
	"applied_at" bigint NOT NULL,
	"applied_by" text NOT NULL,
	"audit_from" text NOT NULL,
	"unlocked_at" bigint,
	"unlocked_by" text,
	CONSTRAINT "managed_objects_kind_object_pk" PRIMARY KEY("kind","object")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "account_events" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"user_agent" text,
	"address" text,
	"detail" json NOT NULL,
	"logged" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "application_branding" (
	"application_id" text PRIMARY KEY NOT NULL,
	"settings" json NOT NULL,
	"logo" "bytea",
	"logo_type" text,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_pictures" (
	"user_id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "preview_grants" (
	"slot_id" text NOT NULL,
	"grant_id" text NOT NULL,
	CONSTRAINT "preview_grants_slot_id_grant_id_pk" PRIMARY KEY("slot_id","grant_id")
);
--> statement-breakpoint
CREATE TABLE "preview_slots" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"key" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"maker_id" text NOT NULL,
	"maker_name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"renewed_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_resources" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"scopes" json NOT NULL,
	"token_format" text NOT NULL,
	"token_algorithm" text NOT NULL,
	"environments" json,
	"attached_by" text DEFAULT 'admins' NOT NULL,
	"strangers" text DEFAULT 'refused' NOT NULL,
	"created_at" bigint NOT NULL,
	"disabled_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"algorithm" text NOT NULL,
	"public_jwk" json NOT NULL,
	"sealed_private_jwk" text NOT NULL,
	"created_at" bigint NOT NULL,
	"active_from" bigint NOT NULL,
	"retired_at" bigint,
	"remove_after" bigint
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"shared" boolean NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"hash" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"auth_time" bigint NOT NULL,
	"acr" text DEFAULT 'urn:gatehouse:acr:password' NOT NULL,
	"amr" json DEFAULT '["pwd"]'::json NOT NULL,
	"method" text DEFAULT 'password' NOT NULL,
	"second_at" bigint,
	"persistent" boolean DEFAULT true NOT NULL,
	"upstream" json,
	"user_agent" text,
	"address" text,
	"created_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"absolute_expires_at" bigint NOT NULL,
	"access_epoch" bigint DEFAULT 0 NOT NULL,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "installation_logo" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text,
	"bytes" "bytea",
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"id" text PRIMARY KEY NOT NULL,
	"values" json NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"provider" text NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "sign_in_providers" (
	"id" text PRIMARY KEY NOT NULL,
	"preset" text NOT NULL,
	"name" text NOT NULL,
	"issuer" text,
	"client_id" text NOT NULL,
	"secret" text,
	"settings" json NOT NULL,
	"position" bigint NOT NULL,
	"enabled" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"outcome" text NOT NULL,
	"cause" text,
	"factor" text NOT NULL,
	"user_id" text,
	"email_hash" text,
	"typed_email" text,
	"level" text,
	"client_id" text,
	"address" text,
	"user_agent" text,
	"detail" json NOT NULL,
	"bucket" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stat_day" (
	"at" bigint NOT NULL,
	"environment" text NOT NULL,
	"metric" text NOT NULL,
	"key" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "stat_day_at_environment_metric_key_pk" PRIMARY KEY("at","environment","metric","key")
);
--> statement-breakpoint
CREATE TABLE "stat_hour" (
	"at" bigint NOT NULL,
	"environment" text NOT NULL,
	"metric" text NOT NULL,
	"key" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "stat_hour_at_environment_metric_key_pk" PRIMARY KEY("at","environment","metric","key")
);
--> statement-breakpoint
CREATE TABLE "test_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"operator_id" text NOT NULL,
	"grant_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "access_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"id" text,
	"grant_id" text,
	"client_id" text NOT NULL,
	"client_epoch" bigint NOT NULL,
	"user_id" text,
	"scope" text NOT NULL,
	"audience" text NOT NULL,
	"context" json,
	"environment" text NOT NULL,
	"issued_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "refresh_families" (
	"id" text PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"scope" text NOT NULL,
	"audience" text NOT NULL,
	"context" json,
	"bound_from" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"absolute_expires_at" bigint NOT NULL,
	"generation" bigint NOT NULL,
	"current_hash" text NOT NULL,
	"previous_hash" text,
	"rotated_at" bigint,
	"rotation_id" text,
	"access_expires_at" bigint,
	"sealed_response" text
);
--> statement-breakpoint
CREATE TABLE "application_refusals" (
	"application_id" text NOT NULL,
	"hour" bigint NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "application_refusals_application_id_hour_pk" PRIMARY KEY("application_id","hour")
);
--> statement-breakpoint
CREATE TABLE "application_use" (
	"application_id" text PRIMARY KEY NOT NULL,
	"last_token_at" bigint NOT NULL,
	"refusals" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_day" (
	"client_id" text NOT NULL,
	"day" bigint NOT NULL,
	"metric" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "client_day_client_id_day_metric_pk" PRIMARY KEY("client_id","day","metric")
);
--> statement-breakpoint
CREATE TABLE "client_use" (
	"client_id" text PRIMARY KEY NOT NULL,
	"last_token_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scope_day" (
	"client_id" text NOT NULL,
	"scope" text NOT NULL,
	"day" bigint NOT NULL,
	"uses" bigint NOT NULL,
	CONSTRAINT "scope_day_client_id_scope_day_pk" PRIMARY KEY("client_id","scope","day")
);
--> statement-breakpoint
CREATE TABLE "secret_day" (
	"secret_id" text NOT NULL,
	"day" bigint NOT NULL,
	"uses" bigint NOT NULL,
	CONSTRAINT "secret_day_secret_id_day_pk" PRIMARY KEY("secret_id","day")
);
--> statement-breakpoint
CREATE TABLE "totals" (
	"name" text PRIMARY KEY NOT NULL,
	"count" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uri_day" (
	"client_id" text NOT NULL,
	"uri_hash" text NOT NULL,
	"day" bigint NOT NULL,
	"uses" bigint NOT NULL,
	CONSTRAINT "uri_day_client_id_uri_hash_day_pk" PRIMARY KEY("client_id","uri_hash","day")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text,
	"password_set_at" bigint,
	"must_change_password" boolean DEFAULT false NOT NULL,
	"role" text NOT NULL,
	"created_at" bigint NOT NULL,
	"disabled_at" bigint,
	"registered_by" text,
	"email_verified_at" bigint,
	"access_epoch" bigint DEFAULT 0 NOT NULL,
	"sign_in_epoch" bigint DEFAULT 0 NOT NULL,
	"locale" text,
	"webauthn_user_id" text,
	"last_signed_in_at" bigint,
	"delete_after" bigint,
	"external_id" text,
	"picture_id" text,
	"profile_changed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "webhook_reconciliations" (
	"endpoint" text PRIMARY KEY NOT NULL,
	"cursor" text,
	"complete_up_to" bigint,
	"recovered" bigint NOT NULL,
	"next_run_at" bigint NOT NULL,
	"last_run_at" bigint,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "webhook_reruns" (
	"id" text PRIMARY KEY NOT NULL,
	"trigger" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"role" text NOT NULL,
	"selection" json NOT NULL,
	"state" text NOT NULL,
	"cursor" text,
	"total" bigint NOT NULL,
	"total_known" boolean NOT NULL,
	"succeeded" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"skipped" bigint NOT NULL,
	"problems" json NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"delivery_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"event_key" "bytea" NOT NULL,
	"handler" text NOT NULL,
	"trigger" text NOT NULL,
	"started_at" bigint NOT NULL,
	"ms" bigint NOT NULL,
	"outcome" text NOT NULL,
	"status" bigint,
	"error" text,
	"stack" text,
	"actor" text
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"endpoint" text NOT NULL,
	"environment" text NOT NULL,
	"received_at" bigint NOT NULL,
	"method" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text NOT NULL,
	"status" bigint NOT NULL,
	"event_type" text,
	"event_id" text,
	"mode" text,
	"event_key" "bytea",
	"secret_id" text,
	"skew_seconds" bigint,
	"headers" json NOT NULL,
	"body" "bytea",
	"body_bytes" bigint,
	"ack_ms" bigint NOT NULL,
	"address" text,
	"source" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_effects" (
	"endpoint" text NOT NULL,
	"event_key" "bytea" NOT NULL,
	"handler" text NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "webhook_effects_endpoint_event_key_handler_name_pk" PRIMARY KEY("endpoint","event_key","handler","name")
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"slug" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"environment" text NOT NULL,
	"name" text,
	"settings" json NOT NULL,
	"forward" json,
	"created_at" bigint NOT NULL,
	"disabled_at" bigint,
	"version" bigint DEFAULT 1 NOT NULL,
	"last_accepted_at" bigint,
	"last_refused_at" bigint,
	"last_refused_reason" text,
	CONSTRAINT "webhook_endpoints_default_is_production" CHECK (slug <> provider or environment = 'production')
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"endpoint" text NOT NULL,
	"key" "bytea" NOT NULL,
	"delivery_id" text NOT NULL,
	"received_at" bigint NOT NULL,
	"event_type" text,
	"state" text NOT NULL,
	CONSTRAINT "webhook_events_endpoint_key_pk" PRIMARY KEY("endpoint","key")
);
--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"id" text PRIMARY KEY NOT NULL,
	"endpoint" text NOT NULL,
	"kind" text NOT NULL,
	"sealed" text NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"name" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"removed_at" bigint,
	"last_matched_at" bigint
);
--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_maker_id_users_id_fk" FOREIGN KEY ("maker_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_hosts" ADD CONSTRAINT "client_hosts_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clients" ADD CONSTRAINT "clients_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD CONSTRAINT "pushed_requests_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_browsers" ADD CONSTRAINT "remembered_browsers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusal_group_hours" ADD CONSTRAINT "refusal_group_hours_group_key_refusal_groups_key_fk" FOREIGN KEY ("group_key") REFERENCES "public"."refusal_groups"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_group_key_refusal_groups_key_fk" FOREIGN KEY ("group_key") REFERENCES "public"."refusal_groups"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_tokens" ADD CONSTRAINT "mailed_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_events" ADD CONSTRAINT "account_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_branding" ADD CONSTRAINT "application_branding_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_pictures" ADD CONSTRAINT "user_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_grants" ADD CONSTRAINT "preview_grants_slot_id_preview_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."preview_slots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_grants" ADD CONSTRAINT "preview_grants_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_slots" ADD CONSTRAINT "preview_slots_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_operator_id_users_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_reconciliations" ADD CONSTRAINT "webhook_reconciliations_endpoint_webhook_endpoints_slug_fk" FOREIGN KEY ("endpoint") REFERENCES "public"."webhook_endpoints"("slug") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_webhook_endpoints_slug_fk" FOREIGN KEY ("endpoint") REFERENCES "public"."webhook_endpoints"("slug") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_tokens_hash" ON "api_tokens" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_tokens_maker_id" ON "api_tokens" USING btree ("maker_id");--> statement-breakpoint
CREATE INDEX "api_tokens_client_id" ON "api_tokens" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "api_tokens_created_at" ON "api_tokens" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "api_tokens_expires_at" ON "api_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_object" ON "audit" USING btree ("object","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_number" ON "audit" USING btree ("number");--> statement-breakpoint
CREATE INDEX "audit_unsealed" ON "audit" USING btree ("id") WHERE "audit"."number" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "applications_name" ON "applications" USING btree ("name");--> statement-breakpoint
CREATE INDEX "applications_created_at" ON "applications" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "applications_name_order" ON "applications" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "client_hosts_client_id" ON "client_hosts" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "client_secrets_client_id" ON "client_secrets" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "client_secrets_hint" ON "client_secrets" USING btree ("hint");--> statement-breakpoint
CREATE INDEX "client_secrets_ends" ON "client_secrets" USING btree ("expires_at","id") WHERE "client_secrets"."expires_at" is not null and "client_secrets"."revoked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "clients_application_name_environment" ON "clients" USING btree ("application_id","name","environment");--> statement-breakpoint
CREATE INDEX "clients_self_registered" ON "clients" USING btree ("created_at","application_id") WHERE "clients"."origin" <> 'registered';--> statement-breakpoint
CREATE INDEX "clients_unconfirmed" ON "clients" USING btree ("origin","created_at","id") WHERE "clients"."origin" <> 'registered' and "clients"."confirmed_at" is null;--> statement-breakpoint
CREATE INDEX "clients_never_used" ON "clients" USING btree ("origin","confirmed_at","id") WHERE "clients"."origin" <> 'registered' and "clients"."last_used_at" is null;--> statement-breakpoint
CREATE INDEX "clients_last_used" ON "clients" USING btree ("origin","last_used_at","id") WHERE "clients"."origin" <> 'registered';--> statement-breakpoint
CREATE INDEX "clients_blocked" ON "clients" USING btree ("id") WHERE "clients"."origin" <> 'registered' and "clients"."disabled_at" is not null;--> statement-breakpoint
CREATE INDEX "clients_software_id" ON "clients" USING btree ("software_id") WHERE "clients"."software_id" is not null;--> statement-breakpoint
CREATE INDEX "clients_needing_secret" ON "clients" USING btree ("id") WHERE "clients"."environment" = 'production' and "clients"."origin" = 'registered' and "clients"."type" in ('web', 'service') and "clients"."disabled_at" is null and coalesce("clients"."options" ->> 'authentication', '') <> 'private_key_jwt';--> statement-breakpoint
CREATE INDEX "removed_objects_removed_at" ON "removed_objects" USING btree ("removed_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "device_codes_user_code" ON "device_codes" USING btree ("user_code");--> statement-breakpoint
CREATE INDEX "device_codes_client_id" ON "device_codes" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "device_codes_expires_at" ON "device_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pushed_requests_client_id" ON "pushed_requests" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "pushed_requests_expires_at" ON "pushed_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "spent_ids_expires_at" ON "spent_ids" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_user_id" ON "passkeys" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "passkeys_rp_id" ON "passkeys" USING btree ("rp_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_user_id" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "remembered_browsers_user_id" ON "remembered_browsers" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "remembered_browsers_expires_at" ON "remembered_browsers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refusal_group_hours_at" ON "refusal_group_hours" USING btree ("at","group_key");--> statement-breakpoint
CREATE INDEX "refusal_groups_last_at" ON "refusal_groups" USING btree ("last_at","key");--> statement-breakpoint
CREATE INDEX "refusals_at" ON "refusals" USING btree ("at","error_id");--> statement-breakpoint
CREATE INDEX "refusals_client_id" ON "refusals" USING btree ("client_id","at");--> statement-breakpoint
CREATE INDEX "refusals_user_id" ON "refusals" USING btree ("user_id","at","error_id") WHERE "refusals"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "refusals_group" ON "refusals" USING btree ("group_key","at","error_id");--> statement-breakpoint
CREATE INDEX "consents_client_id" ON "consents" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "grants_user_client" ON "grants" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "grants_unrevoked" ON "grants" USING btree ("user_id","created_at","id") WHERE "grants"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "grants_client_id" ON "grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "grants_session_id" ON "grants" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "grants_created_at" ON "grants" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("queue","run_at","id") WHERE "jobs"."dead_at" is null;--> statement-breakpoint
CREATE INDEX "jobs_order" ON "jobs" USING btree ("queue","order_key","id") WHERE "jobs"."order_key" is not null;--> statement-breakpoint
CREATE INDEX "jobs_dead" ON "jobs" USING btree ("dead_at","id") WHERE "jobs"."dead_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_hash" ON "invitations" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_pending" ON "invitations" USING btree ("email") WHERE "invitations"."accepted_at" is null and "invitations"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "invitations_created_at" ON "invitations" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mailed_tokens_email" ON "mailed_tokens" USING btree ("purpose","email");--> statement-breakpoint
CREATE INDEX "mailed_tokens_user_id" ON "mailed_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mailed_tokens_expires_at" ON "mailed_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient","id");--> statement-breakpoint
CREATE INDEX "mails_created_at" ON "mails" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "managed_objects_file" ON "managed_objects" USING btree ("file");--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "account_events_user_id" ON "account_events" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "account_events_at" ON "account_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "account_events_unlogged" ON "account_events" USING btree ("id") WHERE not "account_events"."logged";--> statement-breakpoint
CREATE INDEX "preview_grants_grant_id" ON "preview_grants" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "preview_slots_ends" ON "preview_slots" USING btree ("client_id","ends_at","id");--> statement-breakpoint
CREATE INDEX "preview_slots_key" ON "preview_slots" USING btree ("client_id","key","ends_at");--> statement-breakpoint
CREATE INDEX "preview_slots_redirect_uri" ON "preview_slots" USING btree ("client_id","redirect_uri","ends_at");--> statement-breakpoint
CREATE INDEX "preview_slots_ends_at" ON "preview_slots" USING btree ("ends_at");--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_algorithm_active_from" ON "signing_keys" USING btree ("algorithm","active_from");--> statement-breakpoint
CREATE INDEX "saved_views_list" ON "saved_views" USING btree ("list","shared");--> statement-breakpoint
CREATE INDEX "saved_views_user_id" ON "saved_views" USING btree ("user_id","list");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_id" ON "sessions" USING btree ("id");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_expires_at" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_subject" ON "identities" USING btree ("provider","issuer","subject");--> statement-breakpoint
CREATE INDEX "identities_user_id" ON "identities" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_ins_user_id" ON "sign_ins" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "sign_ins_email_hash" ON "sign_ins" USING btree ("email_hash","id") WHERE "sign_ins"."email_hash" is not null;--> statement-breakpoint
CREATE INDEX "sign_ins_typed" ON "sign_ins" USING btree ("id") WHERE "sign_ins"."typed_email" is not null;--> statement-breakpoint
CREATE INDEX "sign_ins_bucket" ON "sign_ins" USING btree ("bucket","id");--> statement-breakpoint
CREATE UNIQUE INDEX "test_runs_grant_id" ON "test_runs" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "test_runs_client_id" ON "test_runs" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "test_runs_operator_id" ON "test_runs" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "test_runs_expires_at" ON "test_runs" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refresh_families_grant_id" ON "refresh_families" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "refresh_families_absolute_expires_at" ON "refresh_families" USING btree ("absolute_expires_at");--> statement-breakpoint
CREATE INDEX "application_refusals_hour" ON "application_refusals" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "application_use_last_token" ON "application_use" USING btree ("last_token_at","application_id");--> statement-breakpoint
CREATE INDEX "application_use_refusals" ON "application_use" USING btree ("refusals","application_id");--> statement-breakpoint
CREATE INDEX "client_day_day" ON "client_day" USING btree ("day","client_id");--> statement-breakpoint
CREATE INDEX "client_use_last_token" ON "client_use" USING btree ("last_token_at","client_id");--> statement-breakpoint
CREATE INDEX "scope_day_day" ON "scope_day" USING btree ("day","client_id");--> statement-breakpoint
CREATE INDEX "secret_day_day" ON "secret_day" USING btree ("day","secret_id");--> statement-breakpoint
CREATE INDEX "uri_day_day" ON "uri_day" USING btree ("day","client_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "users_webauthn_user_id" ON "users" USING btree ("webauthn_user_id") WHERE "users"."webauthn_user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_picture_id" ON "users" USING btree ("picture_id") WHERE "users"."picture_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_external_id" ON "users" USING btree ("external_id") WHERE "users"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree (lower("name"),"id");--> statement-breakpoint
CREATE INDEX "users_created_at" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_delete_after" ON "users" USING btree ("delete_after","id") WHERE "users"."delete_after" is not null;--> statement-breakpoint
CREATE INDEX "users_disabled" ON "users" USING btree ("created_at","id") WHERE "users"."disabled_at" is not null;--> statement-breakpoint
CREATE INDEX "users_unproved" ON "users" USING btree ("created_at","id") WHERE "users"."email_verified_at" is null and "users"."registered_by" = 'self';--> statement-breakpoint
CREATE INDEX "users_unverified" ON "users" USING btree ("created_at","id") WHERE "users"."email_verified_at" is null;--> statement-breakpoint
CREATE INDEX "users_role" ON "users" USING btree ("role","created_at","id") WHERE "users"."role" <> 'user';--> statement-breakpoint
CREATE INDEX "webhook_reconciliations_next" ON "webhook_reconciliations" USING btree ("next_run_at");--> statement-breakpoint
CREATE INDEX "webhook_reruns_created_at" ON "webhook_reruns" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("endpoint","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_environment" ON "webhook_deliveries" USING btree ("environment","id") WHERE "webhook_deliveries"."environment" <> 'production';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_outcome" ON "webhook_deliveries" USING btree ("outcome","id","endpoint") WHERE "webhook_deliveries"."outcome" <> 'accepted';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_repeats" ON "webhook_deliveries" USING btree ("event_id","id") WHERE "webhook_deliveries"."outcome" <> 'accepted';--> statement-breakpoint
CREATE INDEX "webhook_events_state" ON "webhook_events" USING btree ("state","delivery_id") WHERE "webhook_events"."state" in ('pending', 'failed', 'dead');--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_secrets_endpoint_hash" ON "webhook_secrets" USING btree ("endpoint","hash");
--> statement-breakpoint
-- Compared by bytes, whatever the collation of the database: time-ordered ids, and what is found by its beginning.
ALTER TABLE "access_tokens" ALTER COLUMN "hash" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "authorization_codes" ALTER COLUMN "hash" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "account_events" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "client_hosts" ALTER COLUMN "host" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "managed_objects" ALTER COLUMN "audit_from" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "refresh_families" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "sign_ins" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "email" SET DATA TYPE text COLLATE "C", ALTER COLUMN "name" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C", ALTER COLUMN "delivery_id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_events" ALTER COLUMN "delivery_id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
-- Bodies of deliveries stay in their row if they fit.
ALTER TABLE "webhook_deliveries" SET (toast_tuple_target = 8160);
--> statement-breakpoint
-- Each code is updated once, when it is redeemed: there is room for the new version on its page.
ALTER TABLE "authorization_codes" SET (fillfactor = 80);
--> statement-breakpoint
-- A rotation changes no indexed column. With room for it in the page of the row, it writes no index either.
ALTER TABLE "refresh_families" SET (fillfactor = 70);
--> statement-breakpoint
-- Rows of jobs are updated and deleted all the time.
ALTER TABLE "jobs" SET (autovacuum_vacuum_scale_factor = 0.01);
--> statement-breakpoint
-- The number of users, applications and clients, kept in "totals". Adds up a transaction's rows before its total changes:
-- one update for each row would take its square in time.
CREATE FUNCTION "note_total"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	setting text := 'gatehouse.total_' || TG_TABLE_NAME;
	noted bigint := coalesce(nullif(current_setting(setting, true), ''), '0')::bigint;
BEGIN
	IF TG_OP = 'INSERT' THEN
		noted := noted + (SELECT count(*) FROM changed);
	ELSE
		noted := noted - (SELECT count(*) FROM changed);
	END IF;
	PERFORM set_config(setting, noted::text, true);
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Runs for each row when the transaction commits; the first one writes.
CREATE FUNCTION "count_total"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	setting text := 'gatehouse.total_' || TG_TABLE_NAME;
	noted bigint := coalesce(nullif(current_setting(setting, true), ''), '0')::bigint;
BEGIN
	IF noted <> 0 THEN
		PERFORM set_config(setting, '0', true);
		INSERT INTO "totals" ("name", "count") VALUES (TG_TABLE_NAME, noted)
			ON CONFLICT ("name") DO UPDATE SET "count" = "totals"."count" + excluded."count";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Deferred: a transaction locks the total only while it commits, after every other row.
CREATE CONSTRAINT TRIGGER "users_total" AFTER INSERT OR DELETE ON "users" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "applications_total" AFTER INSERT OR DELETE ON "applications" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "clients_total" AFTER INSERT OR DELETE ON "clients" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();
--> statement-breakpoint
CREATE TRIGGER "users_added" AFTER INSERT ON "users" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "users_deleted" AFTER DELETE ON "users" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "applications_added" AFTER INSERT ON "applications" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "applications_deleted" AFTER DELETE ON "applications" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "clients_added" AFTER INSERT ON "clients" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "clients_deleted" AFTER DELETE ON "clients" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
-- Each application has a row in "application_use", so that the console can sort by it.
CREATE FUNCTION "add_application_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "application_use" ("application_id", "last_token_at", "refusals") SELECT "id", 0, 0 FROM changed ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "delete_application_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "application_use" WHERE "application_id" IN (SELECT "id" FROM changed);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "applications_use_added" AFTER INSERT ON "applications" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "add_application_use"();
--> statement-breakpoint
CREATE TRIGGER "applications_use_deleted" AFTER DELETE ON "applications" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "delete_application_use"();
--> statement-breakpoint
-- The hosts of a client, with a row for each domain above. Two redirect URIs can have the same host, hence ON CONFLICT. Redirect hosts of
-- more than 128 characters are left out: strangers register clients, and the rows of a host grow with the square of its length.
CREATE FUNCTION "hosts_of_client"("redirect_uris" json, "document_host" text) RETURNS TABLE ("kind" text, "host" text) LANGUAGE sql IMMUTABLE AS $$
	WITH hosts ("kind", "labels") AS (
		SELECT 'redirect', string_to_array(lower(substring("uri" FROM '://([^/?#]+)')), '.') FROM json_array_elements_text("redirect_uris") AS "uri"
		UNION ALL SELECT 'document', string_to_array("document_host", '.')
	)
	SELECT "kind", CASE WHEN "first" > 1 THEN '.' ELSE '' END || array_to_string("labels"["first":], '.')
	FROM hosts, generate_subscripts("labels", 1) AS "first"
	WHERE "kind" = 'document' OR length(array_to_string("labels", '.')) <= 128
$$;
--> statement-breakpoint
CREATE FUNCTION "keep_client_hosts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		DELETE FROM "client_hosts" WHERE "client_id" = NEW."id";
	END IF;
	INSERT INTO "client_hosts" ("kind", "host", "client_id")
	SELECT h."kind", h."host", NEW."id" FROM "hosts_of_client"(NEW."redirect_uris", NEW."document_host") AS h ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "clients_hosts_added" AFTER INSERT ON "clients" FOR EACH ROW EXECUTE FUNCTION "keep_client_hosts"();
--> statement-breakpoint
CREATE TRIGGER "clients_hosts_changed" AFTER UPDATE OF "redirect_uris", "document_host" ON "clients" FOR EACH ROW
WHEN (NEW."redirect_uris"::text IS DISTINCT FROM OLD."redirect_uris"::text OR NEW."document_host" IS DISTINCT FROM OLD."document_host")
EXECUTE FUNCTION "keep_client_hosts"();
--> statement-breakpoint
-- What each process caches changes by these transactions (`src/cache/caches.ts`). A process asks for those that its last snapshot lacks
-- (`src/postgres/cache-versions.ts`), so no writer waits for another, as it would for a counter. The triggers are those of SQLite, which a test
-- compares. Unlogged: after a crash, when the server can use a transaction id again, both tables are empty.
CREATE UNLOGGED TABLE "cache_changes" (
	"xid" xid8 NOT NULL,
	"cache" text NOT NULL,
	"created_at" bigint DEFAULT floor(extract(epoch FROM statement_timestamp())) NOT NULL,
	PRIMARY KEY ("xid", "cache")
);
--> statement-breakpoint
-- One row, made by the first process that asks. While its id is the same, no transaction id was used again. `swept`: the last one deleted.
CREATE UNLOGGED TABLE "cache_epoch" (
	"one" integer PRIMARY KEY DEFAULT 1 NOT NULL CHECK ("one" = 1),
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"swept" xid8 DEFAULT '0' NOT NULL
);
--> statement-breakpoint
-- The id of the whole transaction, in a savepoint too: that is what snapshots know.
CREATE FUNCTION "note_cache_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "cache_changes" ("xid", "cache") VALUES (pg_current_xact_id(), TG_ARGV[0]) ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "cached_access_tokens_changed" AFTER UPDATE ON "access_tokens" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('access_tokens');
--> statement-breakpoint
-- The sweeper deletes expired tokens, and a cached one is rejected anyway.
CREATE TRIGGER "cached_access_tokens_deleted" AFTER DELETE ON "access_tokens" FOR EACH ROW
WHEN (OLD."expires_at" > extract(epoch FROM statement_timestamp())) EXECUTE FUNCTION "note_cache_change"('access_tokens');
--> statement-breakpoint
CREATE TRIGGER "cached_grants_changed" AFTER UPDATE OF "id", "revoked_at", "access_epoch" ON "grants" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('grants');
--> statement-breakpoint
CREATE TRIGGER "cached_grants_deleted" AFTER DELETE ON "grants" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('grants');
--> statement-breakpoint
CREATE TRIGGER "cached_users_changed" AFTER UPDATE OF "id", "disabled_at", "access_epoch", "email", "name", "role", "email_verified_at", "locale", "picture_id", "profile_changed_at" ON "users" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('users');
--> statement-breakpoint
CREATE TRIGGER "cached_users_deleted" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('users');
--> statement-breakpoint
CREATE TRIGGER "cached_applications_changed" AFTER UPDATE OF "id", "name" ON "applications" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_clients_changed" AFTER UPDATE OF "id", "application_id", "environment", "type", "redirect_uris", "post_logout_redirect_uris", "grant_types", "scopes", "first_party", "resource_server", "refresh_retry_seconds", "options", "origin", "approved_at", "disabled_at", "preview_frame", "access_epoch" ON "clients" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_clients_deleted" AFTER DELETE ON "clients" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_client_secrets_added" AFTER INSERT ON "client_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_client_secrets_changed" AFTER UPDATE OF "id", "client_id", "hash", "created_at", "expires_at", "revoked_at" ON "client_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_client_secrets_deleted" AFTER DELETE ON "client_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_endpoints_changed" AFTER UPDATE OF "slug", "provider", "environment", "settings", "forward", "disabled_at" ON "webhook_endpoints" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_endpoints_deleted" AFTER DELETE ON "webhook_endpoints" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_secrets_added" AFTER INSERT ON "webhook_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_secrets_changed" AFTER UPDATE OF "id", "endpoint", "kind", "sealed", "created_at", "expires_at", "removed_at" ON "webhook_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_secrets_deleted" AFTER DELETE ON "webhook_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_sign_in_providers_added" AFTER INSERT ON "sign_in_providers" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('sign_in_providers');
--> statement-breakpoint
CREATE TRIGGER "cached_sign_in_providers_changed" AFTER UPDATE ON "sign_in_providers" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('sign_in_providers');
--> statement-breakpoint
CREATE TRIGGER "cached_sign_in_providers_deleted" AFTER DELETE ON "sign_in_providers" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('sign_in_providers');
--> statement-breakpoint
CREATE TRIGGER "cached_access_tokens_truncated" AFTER TRUNCATE ON "access_tokens" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('access_tokens');
--> statement-breakpoint
CREATE TRIGGER "cached_grants_truncated" AFTER TRUNCATE ON "grants" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('grants');
--> statement-breakpoint
CREATE TRIGGER "cached_users_truncated" AFTER TRUNCATE ON "users" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('users');
--> statement-breakpoint
CREATE TRIGGER "cached_applications_truncated" AFTER TRUNCATE ON "applications" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_clients_truncated" AFTER TRUNCATE ON "clients" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_client_secrets_truncated" AFTER TRUNCATE ON "client_secrets" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_endpoints_truncated" AFTER TRUNCATE ON "webhook_endpoints" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_secrets_truncated" AFTER TRUNCATE ON "webhook_secrets" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_sign_in_providers_truncated" AFTER TRUNCATE ON "sign_in_providers" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('sign_in_providers');
