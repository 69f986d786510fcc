-- min_program: any
DROP INDEX `access_tokens_grant_id`;--> statement-breakpoint
CREATE INDEX `access_tokens_grant_id` ON `access_tokens` (`grant_id`,`issued_at`);--> statement-breakpoint
DROP INDEX `refresh_tokens_grant_id`;--> statement-breakpoint
CREATE INDEX `refresh_tokens_grant_id` ON `refresh_tokens` (`grant_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `clients_unconfirmed` ON `clients` (`origin`,`created_at`,`id`) WHERE "clients"."origin" <> 'registered' and "clients"."confirmed_at" is null;--> statement-breakpoint
CREATE INDEX `clients_never_used` ON `clients` (`origin`,`confirmed_at`,`id`) WHERE "clients"."origin" <> 'registered' and "clients"."last_used_at" is null;--> statement-breakpoint
CREATE INDEX `clients_last_used` ON `clients` (`origin`,`last_used_at`,`id`) WHERE "clients"."origin" <> 'registered';--> statement-breakpoint
CREATE INDEX `grants_unrevoked` ON `grants` (`user_id`,`created_at`,`id`) WHERE "grants"."revoked_at" is null;