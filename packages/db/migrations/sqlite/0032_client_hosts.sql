-- min_program: any
-- Older programs add and change clients too, and the triggers their hosts. The table is WITHOUT ROWID. The three statements that find hosts
-- are the same: a host is what follows "://", up to the next slash, question mark or hash; each further row begins with its next dot. Redirect hosts
-- of more than 128 characters are left out: strangers register clients, and the rows of a host grow with the square of its length.
CREATE TABLE `client_hosts` (
	`kind` text NOT NULL,
	`host` text NOT NULL,
	`client_id` text NOT NULL,
	PRIMARY KEY(`kind`, `host`, `client_id`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `client_hosts_client_id` ON `client_hosts` (`client_id`);--> statement-breakpoint
CREATE INDEX `clients_blocked` ON `clients` (`id`) WHERE "clients"."origin" <> 'registered' and "clients"."disabled_at" is not null;--> statement-breakpoint
CREATE INDEX `clients_software_id` ON `clients` (`software_id`) WHERE "clients"."software_id" is not null;--> statement-breakpoint
CREATE INDEX `clients_needing_secret` ON `clients` (`id`) WHERE "clients"."environment" = 'production' and "clients"."origin" = 'registered' and "clients"."type" in ('web', 'service') and "clients"."disabled_at" is null and coalesce("clients"."options" ->> 'authentication', '') <> 'private_key_jwt';
--> statement-breakpoint
INSERT INTO `client_hosts` ("kind", "host", "client_id")
WITH RECURSIVE uris ("rest", "client_id") AS (
	SELECT substr(u."value", instr(u."value", '://') + 3), c."id" FROM `clients` AS c, json_each(c."redirect_uris") AS u WHERE instr(u."value", '://') > 0
), named ("host", "client_id") AS (
	SELECT lower(substr("rest", 1, min(instr("rest" || '/', '/'), instr("rest" || '?', '?'), instr("rest" || '#', '#')) - 1)), "client_id" FROM uris
), hosts ("kind", "host", "client_id") AS (
	SELECT 'redirect', "host", "client_id" FROM named WHERE length("host") BETWEEN 1 AND 128
	UNION ALL SELECT 'document', "document_host", "id" FROM `clients` WHERE "document_host" IS NOT NULL
	UNION ALL SELECT "kind", substr("host", 1 + instr(substr("host", 2), '.')), "client_id" FROM hosts WHERE instr(substr("host", 2), '.') > 0
)
SELECT DISTINCT "kind", "host", "client_id" FROM hosts ORDER BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER `clients_hosts_added` AFTER INSERT ON `clients` BEGIN
	INSERT INTO `client_hosts` ("kind", "host", "client_id")
	WITH RECURSIVE uris ("rest") AS (
		SELECT substr(u."value", instr(u."value", '://') + 3) FROM json_each(NEW."redirect_uris") AS u WHERE instr(u."value", '://') > 0
	), named ("host") AS (
		SELECT lower(substr("rest", 1, min(instr("rest" || '/', '/'), instr("rest" || '?', '?'), instr("rest" || '#', '#')) - 1)) FROM uris
	), hosts ("kind", "host") AS (
		SELECT 'redirect', "host" FROM named WHERE length("host") BETWEEN 1 AND 128
		UNION ALL SELECT 'document', NEW."document_host" WHERE NEW."document_host" IS NOT NULL
		UNION ALL SELECT "kind", substr("host", 1 + instr(substr("host", 2), '.')) FROM hosts WHERE instr(substr("host", 2), '.') > 0
	)
	SELECT DISTINCT "kind", "host", NEW."id" FROM hosts;
END;
--> statement-breakpoint
CREATE TRIGGER `clients_hosts_changed` AFTER UPDATE OF "redirect_uris", "document_host" ON `clients`
WHEN NEW."redirect_uris" IS NOT OLD."redirect_uris" OR NEW."document_host" IS NOT OLD."document_host" BEGIN
	DELETE FROM `client_hosts` WHERE "client_id" = NEW."id";
	INSERT INTO `client_hosts` ("kind", "host", "client_id")
	WITH RECURSIVE uris ("rest") AS (
		SELECT substr(u."value", instr(u."value", '://') + 3) FROM json_each(NEW."redirect_uris") AS u WHERE instr(u."value", '://') > 0
	), named ("host") AS (
		SELECT lower(substr("rest", 1, min(instr("rest" || '/', '/'), instr("rest" || '?', '?'), instr("rest" || '#', '#')) - 1)) FROM uris
	), hosts ("kind", "host") AS (
		SELECT 'redirect', "host" FROM named WHERE length("host") BETWEEN 1 AND 128
		UNION ALL SELECT 'document', NEW."document_host" WHERE NEW."document_host" IS NOT NULL
		UNION ALL SELECT "kind", substr("host", 1 + instr(substr("host", 2), '.')) FROM hosts WHERE instr(substr("host", 2), '.') > 0
	)
	SELECT DISTINCT "kind", "host", NEW."id" FROM hosts;
END;
