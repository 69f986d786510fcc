ALTER TABLE `api_resources` ADD `environments` text;--> statement-breakpoint
ALTER TABLE `api_resources` ADD `attached_by` text DEFAULT 'admins' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_resources` ADD `strangers` text DEFAULT 'refused' NOT NULL;