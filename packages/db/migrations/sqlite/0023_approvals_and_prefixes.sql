-- min_program: any
ALTER TABLE `clients` ADD `approved_at` integer;--> statement-breakpoint
CREATE INDEX `clients_self_registered` ON `clients` (`created_at`,`application_id`) WHERE "clients"."origin" <> 'registered';--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (lower("name"),`id`);