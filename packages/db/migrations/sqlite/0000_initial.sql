CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`name` text NOT NULL,
	`maker_id` text NOT NULL,
	`scopes` text NOT NULL,
	`environments` text NOT NULL,
	`client_id` text,
	`first_party_origins` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`maker_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hash` ON `api_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `api_tokens_maker_id` ON `api_tokens` (`maker_id`);--> statement-breakpoint
CREATE INDEX `api_tokens_client_id` ON `api_tokens` (`client_id`);--> statement-breakpoint
CREATE INDEX `api_tokens_created_at` ON `api_tokens` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_tokens_expires_at` ON `api_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`role` text NOT NULL,
	`via` text NOT NULL,
	`action` text NOT NULL,
	`object` text NOT NULL,
	`environment` text,
	`detail` text NOT NULL,
	`address` text,
	`object_name` text,
	`user_agent` text,
	`request_id` text,
	`number` integer,
	`hash` text,
	`mac` text,
	`key_id` text
);
--> statement-breakpoint
CREATE INDEX `audit_object` ON `audit` (`object`,`id`);--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_number` ON `audit` (`number`);--> statement-breakpoint
CREATE INDEX `audit_unsealed` ON `audit` (`id`) WHERE "audit"."number" is null;--> statement-breakpoint
CREATE TABLE `audit_chain` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	`mac` text NOT NULL,
	`key_id` text NOT NULL,
	`pruned_number` integer NOT NULL,
	`pruned_hash` text NOT NULL,
	`pruned_mac` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `applications` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `applications_name` ON `applications` (`name`);--> statement-breakpoint
CREATE INDEX `applications_created_at` ON `applications` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `applications_name_order` ON `applications` (lower("name"),`id`);--> statement-breakpoint
CREATE TABLE `client_blocks` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`kind`, `value`)
);
--> statement-breakpoint
CREATE TABLE `client_hosts` (
	`kind` text NOT NULL,
	`host` text NOT NULL,
	`client_id` text NOT NULL,
	PRIMARY KEY(`kind`, `host`, `client_id`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `client_hosts_client_id` ON `client_hosts` (`client_id`);--> statement-breakpoint
CREATE TABLE `client_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `client_secrets_client_id` ON `client_secrets` (`client_id`);--> statement-breakpoint
CREATE INDEX `client_secrets_hint` ON `client_secrets` (`hint`);--> statement-breakpoint
CREATE INDEX `client_secrets_ends` ON `client_secrets` (`expires_at`,`id`) WHERE "client_secrets"."expires_at" is not null and "client_secrets"."revoked_at" is null;--> statement-breakpoint
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
	`name` text DEFAULT 'Main' NOT NULL,
	`environment` text NOT NULL,
	`type` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`post_logout_redirect_uris` text NOT NULL,
	`grant_types` text NOT NULL,
	`scopes` text NOT NULL,
	`first_party` integer NOT NULL,
	`resource_server` integer NOT NULL,
	`refresh_retry_seconds` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`options` text DEFAULT '{}' NOT NULL,
	`origin` text DEFAULT 'registered' NOT NULL,
	`registration_token_hash` text,
	`confirmed_at` integer,
	`last_used_at` integer,
	`approved_at` integer,
	`document_host` text,
	`software_id` text,
	`disabled_at` integer,
	`access_epoch` integer NOT NULL,
	`preview_frame` text,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_application_name_environment` ON `clients` (`application_id`,`name`,`environment`);--> statement-breakpoint
CREATE INDEX `clients_self_registered` ON `clients` (`created_at`,`application_id`) WHERE "clients"."origin" <> 'registered';--> statement-breakpoint
CREATE INDEX `clients_unconfirmed` ON `clients` (`origin`,`created_at`,`id`) WHERE "clients"."origin" <> 'registered' and "clients"."confirmed_at" is null;--> statement-breakpoint
CREATE INDEX `clients_never_used` ON `clients` (`origin`,`confirmed_at`,`id`) WHERE "clients"."origin" <> 'registered' and "clients"."last_used_at" is null;--> statement-breakpoint
CREATE INDEX `clients_last_used` ON `clients` (`origin`,`last_used_at`,`id`) WHERE "clients"."origin" <> 'registered';--> statement-breakpoint
CREATE INDEX `clients_blocked` ON `clients` (`id`) WHERE "clients"."origin" <> 'registered' and "clients"."disabled_at" is not null;--> statement-breakpoint
CREATE INDEX `clients_software_id` ON `clients` (`software_id`) WHERE "clients"."software_id" is not null;--> statement-breakpoint
CREATE INDEX `clients_needing_secret` ON `clients` (`id`) WHERE "clients"."environment" = 'production' and "clients"."origin" = 'registered' and "clients"."type" in ('web', 'service') and "clients"."disabled_at" is null and coalesce("clients"."options" ->> 'authentication', '') <> 'private_key_jwt';--> statement-breakpoint
CREATE TABLE `initial_access_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`remaining` integer,
	`expires_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `removed_objects` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`environment` text,
	`application_id` text NOT NULL,
	`application_name` text NOT NULL,
	`rows` text NOT NULL,
	`removed_at` integer NOT NULL,
	`removed_by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `removed_objects_removed_at` ON `removed_objects` (`removed_at`,`id`);--> statement-breakpoint
CREATE TABLE `used_client_ids` (
	`id` text PRIMARY KEY NOT NULL,
	`client_name` text NOT NULL,
	`application_id` text NOT NULL,
	`removed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `authorization_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`code_challenge` text NOT NULL,
	`scope` text NOT NULL,
	`audience` text,
	`auth_time` integer NOT NULL,
	`context` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`redeemed_at` integer,
	`failed_attempts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_code` text NOT NULL,
	`client_id` text NOT NULL,
	`scope` text NOT NULL,
	`audience` text,
	`requested_address` text,
	`requested_user_agent` text,
	`interval_seconds` integer NOT NULL,
	`last_polled_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`approved_at` integer,
	`denied_at` integer,
	`redeemed_at` integer,
	`user_id` text,
	`grant_id` text,
	`context` text,
	`exemption_id` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_codes_user_code` ON `device_codes` (`user_code`);--> statement-breakpoint
CREATE INDEX `device_codes_client_id` ON `device_codes` (`client_id`);--> statement-breakpoint
CREATE INDEX `device_codes_expires_at` ON `device_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `pushed_requests` (
	`hash` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`parameters` text NOT NULL,
	`dpop_jkt` text,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`exemption_id` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pushed_requests_client_id` ON `pushed_requests` (`client_id`);--> statement-breakpoint
CREATE INDEX `pushed_requests_expires_at` ON `pushed_requests` (`expires_at`);--> statement-breakpoint
CREATE TABLE `spent_ids` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_ids_expires_at` ON `spent_ids` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`credential_id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`public_key` blob NOT NULL,
	`algorithm` integer NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`aaguid` text NOT NULL,
	`name` text NOT NULL,
	`backup_eligible` integer NOT NULL,
	`backed_up` integer NOT NULL,
	`user_verified` integer NOT NULL,
	`rp_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkeys_user_id` ON `passkeys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `passkeys_rp_id` ON `passkeys` (`rp_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user_id` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `remembered_browsers` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`sign_in_epoch` integer NOT NULL,
	`user_agent` text,
	`address` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `remembered_browsers_user_id` ON `remembered_browsers` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `remembered_browsers_expires_at` ON `remembered_browsers` (`expires_at`);--> statement-breakpoint
CREATE TABLE `totp_secrets` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_step` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `refusal_group_hours` (
	`group_key` text NOT NULL,
	`at` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`group_key`, `at`),
	FOREIGN KEY (`group_key`) REFERENCES `refusal_groups`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `refusal_group_hours_at` ON `refusal_group_hours` (`at`,`group_key`);--> statement-breakpoint
CREATE TABLE `refusal_groups` (
	`key` text PRIMARY KEY NOT NULL,
	`cause` text NOT NULL,
	`endpoint` text NOT NULL,
	`client_id` text,
	`difference` text NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`count` integer NOT NULL,
	`muted_until` integer,
	`resolved_at` integer,
	`regressed_at` integer
);
--> statement-breakpoint
CREATE INDEX `refusal_groups_last_at` ON `refusal_groups` (`last_at`,`key`);--> statement-breakpoint
CREATE TABLE `refusals` (
	`error_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`endpoint` text NOT NULL,
	`error` text NOT NULL,
	`cause` text NOT NULL,
	`message` text NOT NULL,
	`detail` text NOT NULL,
	`client_id` text,
	`address` text,
	`user_id` text,
	`group_key` text,
	FOREIGN KEY (`group_key`) REFERENCES `refusal_groups`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `refusals_at` ON `refusals` (`at`,`error_id`);--> statement-breakpoint
CREATE INDEX `refusals_client_id` ON `refusals` (`client_id`,`at`);--> statement-breakpoint
CREATE INDEX `refusals_user_id` ON `refusals` (`user_id`,`at`,`error_id`) WHERE "refusals"."user_id" is not null;--> statement-breakpoint
CREATE INDEX `refusals_group` ON `refusals` (`group_key`,`at`,`error_id`);--> statement-breakpoint
CREATE TABLE `consents` (
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`scope` text NOT NULL,
	`audience` text NOT NULL,
	`identity` text NOT NULL,
	`allowed_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `client_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `consents_client_id` ON `consents` (`client_id`);--> statement-breakpoint
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`scope` text NOT NULL,
	`created_at` integer NOT NULL,
	`session_id` text,
	`sid` text,
	`access_epoch` integer DEFAULT 0 NOT NULL,
	`revoked_at` integer,
	`revoked_reason` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `grants_user_client` ON `grants` (`user_id`,`client_id`);--> statement-breakpoint
CREATE INDEX `grants_unrevoked` ON `grants` (`user_id`,`created_at`,`id`) WHERE "grants"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `grants_client_id` ON `grants` (`client_id`);--> statement-breakpoint
CREATE INDEX `grants_session_id` ON `grants` (`session_id`);--> statement-breakpoint
CREATE INDEX `grants_created_at` ON `grants` (`created_at`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`order_key` text,
	`payload` text NOT NULL,
	`run_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease_token` text,
	`last_error` text,
	`dead_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`queue`,`run_at`,`id`) WHERE "jobs"."dead_at" is null;--> statement-breakpoint
CREATE INDEX `jobs_order` ON `jobs` (`queue`,`order_key`,`id`) WHERE "jobs"."order_key" is not null;--> statement-breakpoint
CREATE INDEX `jobs_dead` ON `jobs` (`dead_at`,`id`) WHERE "jobs"."dead_at" is not null;--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`hash` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`withdrawn_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_pending` ON `invitations` (`email`) WHERE "invitations"."accepted_at" is null and "invitations"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX `invitations_created_at` ON `invitations` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_expires_at` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mailed_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`email` text NOT NULL,
	`code_hash` text,
	`tries` integer DEFAULT 0 NOT NULL,
	`browser` text,
	`data` text,
	`sign_in_epoch` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`spent_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mailed_tokens_email` ON `mailed_tokens` (`purpose`,`email`);--> statement-breakpoint
CREATE INDEX `mailed_tokens_user_id` ON `mailed_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `mailed_tokens_expires_at` ON `mailed_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient` text NOT NULL,
	`user_id` text,
	`locale` text NOT NULL,
	`state` text NOT NULL,
	`payload` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`answer` text,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`sent_at` integer
);
--> statement-breakpoint
CREATE INDEX `mails_recipient` ON `mails` (`recipient`,`id`);--> statement-breakpoint
CREATE INDEX `mails_created_at` ON `mails` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `managed_objects` (
	`kind` text NOT NULL,
	`object` text NOT NULL,
	`file` text NOT NULL,
	`settings` text NOT NULL,
	`locked` integer NOT NULL,
	`applied_at` integer NOT NULL,
	`applied_by` text NOT NULL,
	`audit_from` text NOT NULL,
	`unlocked_at` integer,
	`unlocked_by` text,
	PRIMARY KEY(`kind`, `object`)
);
--> statement-breakpoint
CREATE INDEX `managed_objects_file` ON `managed_objects` (`file`);--> statement-breakpoint
CREATE TABLE `installation` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`points` integer NOT NULL,
	`expire` integer
);
--> statement-breakpoint
CREATE INDEX `rate_limits_expire` ON `rate_limits` (`expire`);--> statement-breakpoint
CREATE TABLE `account_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`user_agent` text,
	`address` text,
	`detail` text NOT NULL,
	`logged` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `account_events_user_id` ON `account_events` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `account_events_at` ON `account_events` (`at`);--> statement-breakpoint
CREATE INDEX `account_events_unlogged` ON `account_events` (`id`) WHERE not "account_events"."logged";--> statement-breakpoint
CREATE TABLE `application_branding` (
	`application_id` text PRIMARY KEY NOT NULL,
	`settings` text NOT NULL,
	`logo` blob,
	`logo_type` text,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `user_pictures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`bytes` blob NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `preview_grants` (
	`slot_id` text NOT NULL,
	`grant_id` text NOT NULL,
	PRIMARY KEY(`slot_id`, `grant_id`),
	FOREIGN KEY (`slot_id`) REFERENCES `preview_slots`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `preview_grants_grant_id` ON `preview_grants` (`grant_id`);--> statement-breakpoint
CREATE TABLE `preview_slots` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`key` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`maker_id` text NOT NULL,
	`maker_name` text NOT NULL,
	`created_at` integer NOT NULL,
	`renewed_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `preview_slots_ends` ON `preview_slots` (`client_id`,`ends_at`,`id`);--> statement-breakpoint
CREATE INDEX `preview_slots_key` ON `preview_slots` (`client_id`,`key`,`ends_at`);--> statement-breakpoint
CREATE INDEX `preview_slots_redirect_uri` ON `preview_slots` (`client_id`,`redirect_uri`,`ends_at`);--> statement-breakpoint
CREATE INDEX `preview_slots_ends_at` ON `preview_slots` (`ends_at`);--> statement-breakpoint
CREATE TABLE `api_resources` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`token_format` text NOT NULL,
	`token_algorithm` text NOT NULL,
	`environments` text,
	`attached_by` text DEFAULT 'admins' NOT NULL,
	`strangers` text DEFAULT 'refused' NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`algorithm` text NOT NULL,
	`public_jwk` text NOT NULL,
	`sealed_private_jwk` text NOT NULL,
	`created_at` integer NOT NULL,
	`active_from` integer NOT NULL,
	`retired_at` integer,
	`remove_after` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signing_keys_algorithm_active_from` ON `signing_keys` (`algorithm`,`active_from`);--> statement-breakpoint
CREATE TABLE `saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`list` text NOT NULL,
	`name` text NOT NULL,
	`query` text NOT NULL,
	`shared` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `saved_views_list` ON `saved_views` (`list`,`shared`);--> statement-breakpoint
CREATE INDEX `saved_views_user_id` ON `saved_views` (`user_id`,`list`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`auth_time` integer NOT NULL,
	`acr` text DEFAULT 'urn:gatehouse:acr:password' NOT NULL,
	`amr` text DEFAULT '["pwd"]' NOT NULL,
	`method` text DEFAULT 'password' NOT NULL,
	`second_at` integer,
	`persistent` integer DEFAULT true NOT NULL,
	`upstream` text,
	`user_agent` text,
	`address` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`absolute_expires_at` integer NOT NULL,
	`access_epoch` integer DEFAULT 0 NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id` ON `sessions` (`id`);--> statement-breakpoint
CREATE INDEX `sessions_user_id` ON `sessions` (`user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_expires_at` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `installation_logo` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text,
	`bytes` blob,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`id` text PRIMARY KEY NOT NULL,
	`values` text NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`provider` text NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`email` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_subject` ON `identities` (`provider`,`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `identities_user_id` ON `identities` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `sign_in_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`preset` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text,
	`client_id` text NOT NULL,
	`secret` text,
	`settings` text NOT NULL,
	`position` integer NOT NULL,
	`enabled` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`outcome` text NOT NULL,
	`cause` text,
	`factor` text NOT NULL,
	`user_id` text,
	`email_hash` text,
	`typed_email` text,
	`level` text,
	`client_id` text,
	`address` text,
	`user_agent` text,
	`detail` text NOT NULL,
	`bucket` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_ins_user_id` ON `sign_ins` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sign_ins_email_hash` ON `sign_ins` (`email_hash`,`id`) WHERE "sign_ins"."email_hash" is not null;--> statement-breakpoint
CREATE INDEX `sign_ins_typed` ON `sign_ins` (`id`) WHERE "sign_ins"."typed_email" is not null;--> statement-breakpoint
CREATE INDEX `sign_ins_bucket` ON `sign_ins` (`bucket`,`id`);--> statement-breakpoint
CREATE TABLE `stat_day` (
	`at` integer NOT NULL,
	`environment` text NOT NULL,
	`metric` text NOT NULL,
	`key` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`at`, `environment`, `metric`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `stat_hour` (
	`at` integer NOT NULL,
	`environment` text NOT NULL,
	`metric` text NOT NULL,
	`key` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`at`, `environment`, `metric`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `test_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`operator_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`operator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `test_runs_grant_id` ON `test_runs` (`grant_id`);--> statement-breakpoint
CREATE INDEX `test_runs_client_id` ON `test_runs` (`client_id`);--> statement-breakpoint
CREATE INDEX `test_runs_operator_id` ON `test_runs` (`operator_id`);--> statement-breakpoint
CREATE INDEX `test_runs_expires_at` ON `test_runs` (`expires_at`);--> statement-breakpoint
CREATE TABLE `access_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text,
	`grant_id` text,
	`client_id` text NOT NULL,
	`client_epoch` integer NOT NULL,
	`user_id` text,
	`scope` text NOT NULL,
	`audience` text NOT NULL,
	`context` text,
	`environment` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `refresh_families` (
	`id` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`scope` text NOT NULL,
	`audience` text NOT NULL,
	`context` text,
	`bound_from` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`absolute_expires_at` integer NOT NULL,
	`generation` integer NOT NULL,
	`current_hash` text NOT NULL,
	`previous_hash` text,
	`rotated_at` integer,
	`rotation_id` text,
	`access_expires_at` integer,
	`sealed_response` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `refresh_families_grant_id` ON `refresh_families` (`grant_id`);--> statement-breakpoint
CREATE INDEX `refresh_families_absolute_expires_at` ON `refresh_families` (`absolute_expires_at`);--> statement-breakpoint
CREATE TABLE `application_refusals` (
	`application_id` text NOT NULL,
	`hour` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`application_id`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `application_refusals_hour` ON `application_refusals` (`hour`);--> statement-breakpoint
CREATE TABLE `application_use` (
	`application_id` text PRIMARY KEY NOT NULL,
	`last_token_at` integer NOT NULL,
	`refusals` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `application_use_last_token` ON `application_use` (`last_token_at`,`application_id`);--> statement-breakpoint
CREATE INDEX `application_use_refusals` ON `application_use` (`refusals`,`application_id`);--> statement-breakpoint
CREATE TABLE `client_day` (
	`client_id` text NOT NULL,
	`day` integer NOT NULL,
	`metric` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`client_id`, `day`, `metric`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `client_day_day` ON `client_day` (`day`,`client_id`);--> statement-breakpoint
CREATE TABLE `client_use` (
	`client_id` text PRIMARY KEY NOT NULL,
	`last_token_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `client_use_last_token` ON `client_use` (`last_token_at`,`client_id`);--> statement-breakpoint
CREATE TABLE `scope_day` (
	`client_id` text NOT NULL,
	`scope` text NOT NULL,
	`day` integer NOT NULL,
	`uses` integer NOT NULL,
	PRIMARY KEY(`client_id`, `scope`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `scope_day_day` ON `scope_day` (`day`,`client_id`);--> statement-breakpoint
CREATE TABLE `secret_day` (
	`secret_id` text NOT NULL,
	`day` integer NOT NULL,
	`uses` integer NOT NULL,
	PRIMARY KEY(`secret_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `secret_day_day` ON `secret_day` (`day`,`secret_id`);--> statement-breakpoint
CREATE TABLE `totals` (
	`name` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `uri_day` (
	`client_id` text NOT NULL,
	`uri_hash` text NOT NULL,
	`day` integer NOT NULL,
	`uses` integer NOT NULL,
	PRIMARY KEY(`client_id`, `uri_hash`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `uri_day_day` ON `uri_day` (`day`,`client_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text,
	`password_set_at` integer,
	`must_change_password` integer DEFAULT false NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`registered_by` text,
	`email_verified_at` integer,
	`access_epoch` integer DEFAULT 0 NOT NULL,
	`sign_in_epoch` integer DEFAULT 0 NOT NULL,
	`locale` text,
	`webauthn_user_id` text,
	`last_signed_in_at` integer,
	`delete_after` integer,
	`external_id` text,
	`picture_id` text,
	`profile_changed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_webauthn_user_id` ON `users` (`webauthn_user_id`) WHERE "users"."webauthn_user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_picture_id` ON `users` (`picture_id`) WHERE "users"."picture_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_external_id` ON `users` (`external_id`) WHERE "users"."external_id" is not null;--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (lower("name"),`id`);--> statement-breakpoint
CREATE INDEX `users_created_at` ON `users` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_delete_after` ON `users` (`delete_after`,`id`) WHERE "users"."delete_after" is not null;--> statement-breakpoint
CREATE INDEX `users_disabled` ON `users` (`created_at`,`id`) WHERE "users"."disabled_at" is not null;--> statement-breakpoint
CREATE INDEX `users_unproved` ON `users` (`created_at`,`id`) WHERE "users"."email_verified_at" is null and "users"."registered_by" = 'self';--> statement-breakpoint
CREATE INDEX `users_unverified` ON `users` (`created_at`,`id`) WHERE "users"."email_verified_at" is null;--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`role`,`created_at`,`id`) WHERE "users"."role" <> 'user';--> statement-breakpoint
CREATE TABLE `webhook_reconciliations` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`cursor` text,
	`complete_up_to` integer,
	`recovered` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	`last_run_at` integer,
	`last_error` text,
	FOREIGN KEY (`endpoint`) REFERENCES `webhook_endpoints`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_reconciliations_next` ON `webhook_reconciliations` (`next_run_at`);--> statement-breakpoint
CREATE TABLE `webhook_reruns` (
	`id` text PRIMARY KEY NOT NULL,
	`trigger` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`role` text NOT NULL,
	`selection` text NOT NULL,
	`state` text NOT NULL,
	`cursor` text,
	`total` integer NOT NULL,
	`total_known` integer NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	`skipped` integer NOT NULL,
	`problems` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_reruns_created_at` ON `webhook_reruns` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`delivery_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`event_key` blob NOT NULL,
	`handler` text NOT NULL,
	`trigger` text NOT NULL,
	`started_at` integer NOT NULL,
	`ms` integer NOT NULL,
	`outcome` text NOT NULL,
	`status` integer,
	`error` text,
	`stack` text,
	`actor` text
);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_delivery` ON `webhook_attempts` (`delivery_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint` text NOT NULL,
	`environment` text NOT NULL,
	`received_at` integer NOT NULL,
	`method` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text NOT NULL,
	`status` integer NOT NULL,
	`event_type` text,
	`event_id` text,
	`mode` text,
	`event_key` blob,
	`secret_id` text,
	`skew_seconds` integer,
	`headers` text NOT NULL,
	`body` blob,
	`body_bytes` integer,
	`ack_ms` integer NOT NULL,
	`address` text,
	`source` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`endpoint`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_environment` ON `webhook_deliveries` (`environment`,`id`) WHERE "webhook_deliveries"."environment" <> 'production';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_outcome` ON `webhook_deliveries` (`outcome`,`id`,`endpoint`) WHERE "webhook_deliveries"."outcome" <> 'accepted';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_repeats` ON `webhook_deliveries` (`event_id`,`id`) WHERE "webhook_deliveries"."outcome" <> 'accepted';--> statement-breakpoint
CREATE TABLE `webhook_effects` (
	`endpoint` text NOT NULL,
	`event_key` blob NOT NULL,
	`handler` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`endpoint`, `event_key`, `handler`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`slug` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`environment` text NOT NULL,
	`name` text,
	`settings` text NOT NULL,
	`forward` text,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`last_accepted_at` integer,
	`last_refused_at` integer,
	`last_refused_reason` text,
	CONSTRAINT "webhook_endpoints_default_is_production" CHECK(slug <> provider or environment = 'production')
);
--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`endpoint` text NOT NULL,
	`key` blob NOT NULL,
	`delivery_id` text NOT NULL,
	`received_at` integer NOT NULL,
	`event_type` text,
	`state` text NOT NULL,
	PRIMARY KEY(`endpoint`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_events_state` ON `webhook_events` (`state`,`delivery_id`) WHERE "webhook_events"."state" in ('pending', 'failed', 'dead');--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint` text NOT NULL,
	`kind` text NOT NULL,
	`sealed` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`name` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`removed_at` integer,
	`last_matched_at` integer,
	FOREIGN KEY (`endpoint`) REFERENCES `webhook_endpoints`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_secrets_endpoint_hash` ON `webhook_secrets` (`endpoint`,`hash`);
--> statement-breakpoint
-- The number of users, applications and clients, kept in `totals`.
CREATE TRIGGER `users_added` AFTER INSERT ON `users` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('users', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `users_deleted` AFTER DELETE ON `users` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'users';
END;
--> statement-breakpoint
CREATE TRIGGER `applications_added` AFTER INSERT ON `applications` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('applications', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_deleted` AFTER DELETE ON `applications` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'applications';
END;
--> statement-breakpoint
CREATE TRIGGER `clients_added` AFTER INSERT ON `clients` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('clients', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `clients_deleted` AFTER DELETE ON `clients` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'clients';
END;
--> statement-breakpoint
-- Each application has a row in `application_use`, so that the console can sort by it.
CREATE TRIGGER `applications_use_added` AFTER INSERT ON `applications` BEGIN
	INSERT INTO `application_use` ("application_id", "last_token_at", "refusals") VALUES (NEW."id", 0, 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_use_deleted` AFTER DELETE ON `applications` BEGIN
	DELETE FROM `application_use` WHERE "application_id" = OLD."id";
END;
--> statement-breakpoint
-- The hosts of a client. Both triggers find them in the same way: a host is what follows "://", up to the next slash, question mark or
-- hash; each further row begins with its next dot. Redirect hosts of more than 128 characters are left out: strangers register clients,
-- and the rows of a host grow with the square of its length.
CREATE TRIGGER `clients_hosts_added` AFTER INSERT ON `clients` BEGIN
	INSERT INTO `client_hosts` ("kind", "host", "client_id")
	WITH RECURSIVE uris ("rest") AS (
		SELECT substr(u."value", instr(u."value", '://') + 3) FROM json_each(NEW."redirect_uris") AS u WHERE instr(u."value", '://') > 0
	), named ("host") AS (
		SELECT lower(substr("rest", 1, min(instr("rest" || '/', '/'), instr("rest" || '?', '?'), instr("rest" || '#', '#')) - 1)) FROM uris
	), hosts ("kind", "host") AS (
		SELECT 'redirect', "host" FROM named WHERE length("host") BETWEEN 1 AND 128
		UNION ALL SELECT 'document', NEW."document_host" WHERE NEW."document_host" IS NOT NULL
		UNION ALL SELECT "kind", substr("host", 1 + instr(substr("host", 2), '.')) FROM hosts WHERE instr(substr("host", 2), '.') > 0
	)
	SELECT DISTINCT "kind", "host", NEW."id" FROM hosts;
END;
--> statement-breakpoint
CREATE TRIGGER `clients_hosts_changed` AFTER UPDATE OF "redirect_uris", "document_host" ON `clients`
WHEN NEW."redirect_uris" IS NOT OLD."redirect_uris" OR NEW."document_host" IS NOT OLD."document_host" BEGIN
	DELETE FROM `client_hosts` WHERE "client_id" = NEW."id";
	INSERT INTO `client_hosts` ("kind", "host", "client_id")
	WITH RECURSIVE uris ("rest") AS (
		SELECT substr(u."value", instr(u."value", '://') + 3) FROM json_each(NEW."redirect_uris") AS u WHERE instr(u."value", '://') > 0
	), named ("host") AS (
		SELECT lower(substr("rest", 1, min(instr("rest" || '/', '/'), instr("rest" || '?', '?'), instr("rest" || '#', '#')) - 1)) FROM uris
	), hosts ("kind", "host") AS (
		SELECT 'redirect', "host" FROM named WHERE length("host") BETWEEN 1 AND 128
		UNION ALL SELECT 'document', NEW."document_host" WHERE NEW."document_host" IS NOT NULL
		UNION ALL SELECT "kind", substr("host", 1 + instr(substr("host", 2), '.')) FROM hosts WHERE instr(substr("host", 2), '.') > 0
	)
	SELECT DISTINCT "kind", "host", NEW."id" FROM hosts;
END;
--> statement-breakpoint
-- Counts the changes of what each process caches (`src/cache/caches.ts`). The triggers name the columns that the cached queries read, which a test
-- compares; other columns, such as times of use, are written all the time. A new row counts only where a cached result can lack it.
CREATE TABLE `cache_versions` (
	`id` integer PRIMARY KEY NOT NULL CHECK (`id` = 1),
	`access_tokens` integer NOT NULL DEFAULT 0,
	`clients` integer NOT NULL DEFAULT 0,
	`grants` integer NOT NULL DEFAULT 0,
	`sign_in_providers` integer NOT NULL DEFAULT 0,
	`users` integer NOT NULL DEFAULT 0,
	`webhook_endpoints` integer NOT NULL DEFAULT 0
);
--> statement-breakpoint
INSERT INTO `cache_versions` ("id") VALUES (1);
--> statement-breakpoint
CREATE TRIGGER `cached_access_tokens_changed` AFTER UPDATE ON `access_tokens` BEGIN
	UPDATE `cache_versions` SET "access_tokens" = "access_tokens" + 1;
END;
--> statement-breakpoint
-- The sweeper deletes expired tokens, and a cached one is rejected anyway.
CREATE TRIGGER `cached_access_tokens_deleted` AFTER DELETE ON `access_tokens` WHEN OLD."expires_at" > unixepoch() BEGIN
	UPDATE `cache_versions` SET "access_tokens" = "access_tokens" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_grants_changed` AFTER UPDATE OF "id", "revoked_at", "access_epoch" ON `grants` BEGIN
	UPDATE `cache_versions` SET "grants" = "grants" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_grants_deleted` AFTER DELETE ON `grants` BEGIN
	UPDATE `cache_versions` SET "grants" = "grants" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_users_changed` AFTER UPDATE OF "id", "disabled_at", "access_epoch", "email", "name", "role", "email_verified_at", "locale", "picture_id", "profile_changed_at" ON `users` BEGIN
	UPDATE `cache_versions` SET "users" = "users" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_users_deleted` AFTER DELETE ON `users` BEGIN
	UPDATE `cache_versions` SET "users" = "users" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_applications_changed` AFTER UPDATE OF "id", "name" ON `applications` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_clients_changed` AFTER UPDATE OF "id", "application_id", "environment", "type", "redirect_uris", "post_logout_redirect_uris", "grant_types", "scopes", "first_party", "resource_server", "refresh_retry_seconds", "options", "origin", "approved_at", "disabled_at", "preview_frame", "access_epoch" ON `clients` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_clients_deleted` AFTER DELETE ON `clients` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_client_secrets_added` AFTER INSERT ON `client_secrets` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_client_secrets_changed` AFTER UPDATE OF "id", "client_id", "hash", "created_at", "expires_at", "revoked_at" ON `client_secrets` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_client_secrets_deleted` AFTER DELETE ON `client_secrets` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_endpoints_changed` AFTER UPDATE OF "slug", "provider", "environment", "settings", "forward", "disabled_at" ON `webhook_endpoints` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_endpoints_deleted` AFTER DELETE ON `webhook_endpoints` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_secrets_added` AFTER INSERT ON `webhook_secrets` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_secrets_changed` AFTER UPDATE OF "id", "endpoint", "kind", "sealed", "created_at", "expires_at", "removed_at" ON `webhook_secrets` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_secrets_deleted` AFTER DELETE ON `webhook_secrets` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_sign_in_providers_added` AFTER INSERT ON `sign_in_providers` BEGIN
	UPDATE `cache_versions` SET "sign_in_providers" = "sign_in_providers" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_sign_in_providers_changed` AFTER UPDATE ON `sign_in_providers` BEGIN
	UPDATE `cache_versions` SET "sign_in_providers" = "sign_in_providers" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_sign_in_providers_deleted` AFTER DELETE ON `sign_in_providers` BEGIN
	UPDATE `cache_versions` SET "sign_in_providers" = "sign_in_providers" + 1;
END;
