-- The number of users, applications and clients, kept in `totals`.
CREATE TRIGGER `users_added` AFTER INSERT ON `users` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('users', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `users_deleted` AFTER DELETE ON `users` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'users';
END;
--> statement-breakpoint
CREATE TRIGGER `applications_added` AFTER INSERT ON `applications` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('applications', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_deleted` AFTER DELETE ON `applications` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'applications';
END;
--> statement-breakpoint
CREATE TRIGGER `clients_added` AFTER INSERT ON `clients` BEGIN
	INSERT INTO `totals` ("name", "count") VALUES ('clients', 1) ON CONFLICT ("name") DO UPDATE SET "count" = "count" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `clients_deleted` AFTER DELETE ON `clients` BEGIN
	UPDATE `totals` SET "count" = "count" - 1 WHERE "name" = 'clients';
END;
--> statement-breakpoint
-- Each application has a row in `application_use`, so that the console can sort by it.
CREATE TRIGGER `applications_use_added` AFTER INSERT ON `applications` BEGIN
	INSERT INTO `application_use` ("application_id", "last_token_at", "refusals") VALUES (NEW."id", 0, 0) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `applications_use_deleted` AFTER DELETE ON `applications` BEGIN
	DELETE FROM `application_use` WHERE "application_id" = OLD."id";
END;
--> statement-breakpoint
-- The hosts of a client. Both triggers find them in the same way: a host is what follows "://", up to the next slash, question mark or
-- hash; each further row begins with its next dot. Redirect hosts of more than 128 characters are left out: strangers register clients,
-- and the rows of a host grow with the square of its length.
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
