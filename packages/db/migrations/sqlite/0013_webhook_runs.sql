CREATE TABLE `webhook_reconciliations` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`cursor` text,
	`complete_up_to` integer,
	`recovered` integer NOT NULL,
	`next_run_at` integer NOT NULL,
	`last_run_at` integer,
	`last_error` text,
	FOREIGN KEY (`endpoint`) REFERENCES `webhook_endpoints`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_reconciliations_next` ON `webhook_reconciliations` (`next_run_at`);--> statement-breakpoint
CREATE TABLE `webhook_reruns` (
	`id` text PRIMARY KEY NOT NULL,
	`trigger` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`role` text NOT NULL,
	`selection` text NOT NULL,
	`state` text NOT NULL,
	`cursor` text,
	`total` integer NOT NULL,
	`total_known` integer NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	`skipped` integer NOT NULL,
	`problems` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_reruns_created_at` ON `webhook_reruns` (`created_at`);