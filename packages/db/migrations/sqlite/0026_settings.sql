CREATE TABLE `settings` (
	`id` text PRIMARY KEY NOT NULL,
	`values` text NOT NULL,
	`version` integer NOT NULL
);
