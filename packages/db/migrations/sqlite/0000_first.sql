CREATE TABLE `access_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`grant_id` text,
	`client_id` text NOT NULL,
	`user_id` text,
	`scope` text NOT NULL,
	`audience` text NOT NULL,
	`environment` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `access_tokens_grant_id` ON `access_tokens` (`grant_id`);--> statement-breakpoint
CREATE INDEX `access_tokens_client_id` ON `access_tokens` (`client_id`);--> statement-breakpoint
CREATE INDEX `access_tokens_expires_at` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `applications` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `applications_name` ON `applications` (`name`);--> statement-breakpoint
CREATE INDEX `applications_created_at` ON `applications` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `authorization_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`code_challenge` text NOT NULL,
	`scope` text NOT NULL,
	`auth_time` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`redeemed_at` integer,
	`failed_attempts` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `authorization_codes_grant_id` ON `authorization_codes` (`grant_id`);--> statement-breakpoint
CREATE INDEX `authorization_codes_expires_at` ON `authorization_codes` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`application_id` text NOT NULL,
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
	`disabled_at` integer,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_application_environment` ON `clients` (`application_id`,`environment`);--> statement-breakpoint
CREATE TABLE `consents` (
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`scope` text NOT NULL,
	`allowed_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `client_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `consents_client_id` ON `consents` (`client_id`);--> statement-breakpoint
CREATE TABLE `device_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_code` text NOT NULL,
	`client_id` text NOT NULL,
	`scope` text NOT NULL,
	`requested_from` text,
	`interval_seconds` integer NOT NULL,
	`last_polled_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`approved_at` integer,
	`denied_at` integer,
	`redeemed_at` integer,
	`user_id` text,
	`grant_id` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_codes_user_code` ON `device_codes` (`user_code`);--> statement-breakpoint
CREATE INDEX `device_codes_client_id` ON `device_codes` (`client_id`);--> statement-breakpoint
CREATE INDEX `device_codes_expires_at` ON `device_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`scope` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`revoked_reason` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `grants_user_client` ON `grants` (`user_id`,`client_id`);--> statement-breakpoint
CREATE INDEX `grants_client_id` ON `grants` (`client_id`);--> statement-breakpoint
CREATE INDEX `grants_created_at` ON `grants` (`created_at`);--> statement-breakpoint
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
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`scope` text NOT NULL,
	`audience` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`absolute_expires_at` integer NOT NULL,
	`rotated_at` integer,
	`successor_hash` text,
	`sealed_response` text,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_grant_id` ON `refresh_tokens` (`grant_id`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_absolute_expires_at` ON `refresh_tokens` (`absolute_expires_at`);--> statement-breakpoint
CREATE TABLE `refusals` (
	`error_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`endpoint` text NOT NULL,
	`error` text NOT NULL,
	`cause` text NOT NULL,
	`message` text NOT NULL,
	`detail` text NOT NULL,
	`client_id` text,
	`address` text
);
--> statement-breakpoint
CREATE INDEX `refusals_at` ON `refusals` (`at`,`error_id`);--> statement-breakpoint
CREATE INDEX `refusals_client_id` ON `refusals` (`client_id`,`at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`auth_time` integer NOT NULL,
	`user_agent` text,
	`address` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`absolute_expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id` ON `sessions` (`id`);--> statement-breakpoint
CREATE INDEX `sessions_user_id` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires_at` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_created_at` ON `users` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`received_at` integer NOT NULL,
	`method` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text NOT NULL,
	`status` integer NOT NULL,
	`event_type` text,
	`event_id` text,
	`secret_id` text,
	`skew_seconds` integer,
	`headers` text NOT NULL,
	`body` blob NOT NULL,
	`body_bytes` integer,
	`ack_ms` integer NOT NULL,
	`address` text
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_received_at` ON `webhook_deliveries` (`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_provider` ON `webhook_deliveries` (`provider`,`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_outcome` ON `webhook_deliveries` (`outcome`,`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_event_id` ON `webhook_deliveries` (`event_id`);--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`event_type` text,
	`delivery_id` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_events_key` ON `webhook_events` (`provider`,`dedupe_key`);--> statement-breakpoint
CREATE TABLE `webhook_overflow` (
	`provider` text NOT NULL,
	`reason` text NOT NULL,
	`minute_at` integer NOT NULL,
	`count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`provider`, `reason`, `minute_at`)
);
--> statement-breakpoint
CREATE TABLE `webhook_providers` (
	`provider` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer
);
--> statement-breakpoint
CREATE TABLE `webhook_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`sealed` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`provider`) REFERENCES `webhook_providers`(`provider`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_secrets_provider_hash` ON `webhook_secrets` (`provider`,`hash`);