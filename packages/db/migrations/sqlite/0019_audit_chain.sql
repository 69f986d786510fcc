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
ALTER TABLE `audit` ADD `object_name` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `user_agent` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `request_id` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `number` integer;--> statement-breakpoint
ALTER TABLE `audit` ADD `hash` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `mac` text;--> statement-breakpoint
ALTER TABLE `audit` ADD `key_id` text;--> statement-breakpoint
CREATE INDEX `audit_actor` ON `audit` (`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_number` ON `audit` (`number`);--> statement-breakpoint
CREATE INDEX `audit_unsealed` ON `audit` (`id`) WHERE "audit"."number" is null;--> statement-breakpoint
ALTER TABLE `applications` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `clients` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `api_resources` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `sign_in_providers` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `version` integer DEFAULT 1 NOT NULL;