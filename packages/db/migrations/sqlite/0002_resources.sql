ALTER TABLE `authorization_codes` ADD `audience` text;--> statement-breakpoint
ALTER TABLE `device_codes` ADD `audience` text;