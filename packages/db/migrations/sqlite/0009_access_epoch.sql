ALTER TABLE `grants` ADD `access_epoch` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `access_epoch` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `registered_by` text;--> statement-breakpoint
ALTER TABLE `users` ADD `email_verified_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `access_epoch` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A role above "user" was given by an operator. Who made the other accounts is unknown: null counts as self-registered.
UPDATE users SET registered_by = 'operator' WHERE role <> 'user';
