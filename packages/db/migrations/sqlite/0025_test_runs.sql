CREATE TABLE `test_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`client_id` text NOT NULL,
	`operator_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`operator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`grant_id`) REFERENCES `grants`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `test_runs_grant_id` ON `test_runs` (`grant_id`);--> statement-breakpoint
CREATE INDEX `test_runs_client_id` ON `test_runs` (`client_id`);--> statement-breakpoint
CREATE INDEX `test_runs_operator_id` ON `test_runs` (`operator_id`);--> statement-breakpoint
CREATE INDEX `test_runs_expires_at` ON `test_runs` (`expires_at`);--> statement-breakpoint
ALTER TABLE `device_codes` ADD `test_run_id` text;--> statement-breakpoint
ALTER TABLE `pushed_requests` ADD `test_run_id` text;