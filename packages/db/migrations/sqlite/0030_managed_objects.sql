CREATE TABLE `managed_objects` (
	`kind` text NOT NULL,
	`object` text NOT NULL,
	`file` text NOT NULL,
	`settings` text NOT NULL,
	`locked` integer NOT NULL,
	`applied_at` integer NOT NULL,
	`applied_by` text NOT NULL,
	`audit_from` text NOT NULL,
	`unlocked_at` integer,
	`unlocked_by` text,
	PRIMARY KEY(`kind`, `object`)
);
--> statement-breakpoint
CREATE INDEX `managed_objects_file` ON `managed_objects` (`file`);