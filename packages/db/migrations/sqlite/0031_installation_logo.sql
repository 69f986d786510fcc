CREATE TABLE `installation_logo` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text,
	`bytes` blob,
	`updated_at` integer NOT NULL
);
