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
ALTER TABLE `refusals` ADD `group_key` text REFERENCES refusal_groups(key) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `refusals_group` ON `refusals` (`group_key`,`at`,`error_id`);