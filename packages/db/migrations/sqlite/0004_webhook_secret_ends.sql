ALTER TABLE `webhook_secrets` ADD `name` text;--> statement-breakpoint
ALTER TABLE `webhook_secrets` ADD `removed_at` integer;--> statement-breakpoint
ALTER TABLE `webhook_secrets` ADD `last_matched_at` integer;