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
ALTER TABLE `clients` ADD `preview_frame` text;