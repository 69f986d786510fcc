CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`name` text NOT NULL,
	`maker_id` text NOT NULL,
	`scopes` text NOT NULL,
	`environments` text NOT NULL,
	`client_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`maker_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_hash` ON `api_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `api_tokens_maker_id` ON `api_tokens` (`maker_id`);--> statement-breakpoint
CREATE INDEX `api_tokens_client_id` ON `api_tokens` (`client_id`);--> statement-breakpoint
CREATE INDEX `api_tokens_created_at` ON `api_tokens` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_tokens_expires_at` ON `api_tokens` (`expires_at`);