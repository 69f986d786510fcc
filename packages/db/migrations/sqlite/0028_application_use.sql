-- min_program: any
-- Older programs add applications too, and the triggers their rows. All tables here are WITHOUT ROWID.
CREATE TABLE `application_refusals` (
	`application_id` text NOT NULL,
	`hour` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`application_id`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `application_refusals_hour` ON `application_refusals` (`hour`);--> statement-breakpoint
CREATE TABLE `application_use` (
	`application_id` text PRIMARY KEY NOT NULL,
	`last_token_at` integer NOT NULL,
	`refusals` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `application_use_last_token` ON `application_use` (`last_token_at`,`application_id`);--> statement-breakpoint
CREATE INDEX `application_use_refusals` ON `application_use` (`refusals`,`application_id`);--> statement-breakpoint
CREATE INDEX `client_secrets_hint` ON `client_secrets` (`hint`);--> statement-breakpoint
CREATE INDEX `applications_name_order` ON `applications` (lower("name"),`id`);
--> statement-breakpoint
INSERT INTO `application_use` ("application_id", "last_token_at", "refusals")
SELECT a."id", coalesce((SELECT max(u."last_token_at") FROM `client_use` AS u JOIN `clients` AS c ON c."id" = u."client_id" WHERE c."application_id" = a."id"), 0), 0
FROM `applications` AS a;
--> statement-breakpoint
CREATE TRIGGER `applications_use_added` AFTER INSERT ON `applications` BEGIN
	INSERT INTO `application_use` ("application_id", "last_token_at", "refusals") VALUES (NEW."id", 0, 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_use_deleted` AFTER DELETE ON `applications` BEGIN
	DELETE FROM `application_use` WHERE "application_id" = OLD."id";
END;
