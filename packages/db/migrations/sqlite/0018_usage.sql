-- min_program: any
-- Older programs write the same rows, and the triggers count them. All tables here are WITHOUT ROWID.
CREATE TABLE `client_day` (
	`client_id` text NOT NULL,
	`day` integer NOT NULL,
	`metric` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`client_id`, `day`, `metric`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `client_day_day` ON `client_day` (`day`,`client_id`);--> statement-breakpoint
CREATE TABLE `client_use` (
	`client_id` text PRIMARY KEY NOT NULL,
	`last_token_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `client_use_last_token` ON `client_use` (`last_token_at`,`client_id`);--> statement-breakpoint
CREATE TABLE `scope_day` (
	`client_id` text NOT NULL,
	`scope` text NOT NULL,
	`day` integer NOT NULL,
	`uses` integer NOT NULL,
	PRIMARY KEY(`client_id`, `scope`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `scope_day_day` ON `scope_day` (`day`,`client_id`);--> statement-breakpoint
CREATE TABLE `secret_day` (
	`secret_id` text NOT NULL,
	`day` integer NOT NULL,
	`uses` integer NOT NULL,
	PRIMARY KEY(`secret_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `secret_day_day` ON `secret_day` (`day`,`secret_id`);--> statement-breakpoint
CREATE TABLE `totals` (
	`name` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `uri_day` (
	`client_id` text NOT NULL,
	`uri_hash` text NOT NULL,
	`day` integer NOT NULL,
	`uses` integer NOT NULL,
	PRIMARY KEY(`client_id`, `uri_hash`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `uri_day_day` ON `uri_day` (`day`,`client_id`);
--> statement-breakpoint
INSERT INTO `totals` ("name", "count") SELECT 'users', count(*) FROM `users` HAVING count(*) > 0;
--> statement-breakpoint
CREATE TRIGGER `users_added` AFTER INSERT ON `users` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('users', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `users_deleted` AFTER DELETE ON `users` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'users';
END;
--> statement-breakpoint
INSERT INTO `totals` ("name", "count") SELECT 'applications', count(*) FROM `applications` HAVING count(*) > 0;
--> statement-breakpoint
CREATE TRIGGER `applications_added` AFTER INSERT ON `applications` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('applications', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_deleted` AFTER DELETE ON `applications` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'applications';
END;
--> statement-breakpoint
INSERT INTO `totals` ("name", "count") SELECT 'clients', count(*) FROM `clients` HAVING count(*) > 0;
--> statement-breakpoint
CREATE TRIGGER `clients_added` AFTER INSERT ON `clients` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('clients', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `clients_deleted` AFTER DELETE ON `clients` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'clients';
END;