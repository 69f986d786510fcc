CREATE TABLE `api_resources` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`token_format` text NOT NULL,
	`token_algorithm` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer
);
--> statement-breakpoint
CREATE TABLE `initial_access_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`remaining` integer,
	`expires_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `logout_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`done_at` integer,
	`last_error` text,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `logout_notices_session_client` ON `logout_notices` (`session_id`,`client_id`);--> statement-breakpoint
CREATE INDEX `logout_notices_due` ON `logout_notices` (`done_at`,`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `logout_notices_client_id` ON `logout_notices` (`client_id`);--> statement-breakpoint
CREATE TABLE `pushed_requests` (
	`hash` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`parameters` text NOT NULL,
	`dpop_jkt` text,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pushed_requests_client_id` ON `pushed_requests` (`client_id`);--> statement-breakpoint
CREATE INDEX `pushed_requests_expires_at` ON `pushed_requests` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `spent_ids` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_ids_expires_at` ON `spent_ids` (`expires_at`);--> statement-breakpoint
ALTER TABLE `access_tokens` ADD `context` text;--> statement-breakpoint
ALTER TABLE `authorization_codes` ADD `context` text;--> statement-breakpoint
ALTER TABLE `clients` ADD `options` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `clients` ADD `origin` text DEFAULT 'registered' NOT NULL;--> statement-breakpoint
ALTER TABLE `clients` ADD `registration_token_hash` text;--> statement-breakpoint
ALTER TABLE `clients` ADD `confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `clients` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `grants` ADD `session_id` text;--> statement-breakpoint
CREATE INDEX `grants_session_id` ON `grants` (`session_id`);--> statement-breakpoint
ALTER TABLE `refresh_tokens` ADD `context` text;