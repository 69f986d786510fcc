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
--> statement-breakpoint
-- Counts the changes of what each process caches (`src/cache/caches.ts`). The triggers name the columns that the cached queries read, which a test
-- compares; other columns, such as times of use, are written all the time. A new row counts only where a cached result can lack it.
CREATE TABLE `cache_versions` (
	`id` integer PRIMARY KEY NOT NULL CHECK (`id` = 1),
	`access_tokens` integer NOT NULL DEFAULT 0,
	`clients` integer NOT NULL DEFAULT 0,
	`grants` integer NOT NULL DEFAULT 0,
	`sign_in_providers` integer NOT NULL DEFAULT 0,
	`users` integer NOT NULL DEFAULT 0,
	`webhook_endpoints` integer NOT NULL DEFAULT 0
);
--> statement-breakpoint
INSERT INTO `cache_versions` ("id") VALUES (1);
--> statement-breakpoint
CREATE TRIGGER `cached_access_tokens_changed` AFTER UPDATE ON `access_tokens` BEGIN
	UPDATE `cache_versions` SET "access_tokens" = "access_tokens" + 1;
END;
--> statement-breakpoint
-- The sweeper deletes expired tokens, and a cached one is rejected anyway.
CREATE TRIGGER `cached_access_tokens_deleted` AFTER DELETE ON `access_tokens` WHEN OLD."expires_at" > unixepoch() BEGIN
	UPDATE `cache_versions` SET "access_tokens" = "access_tokens" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_grants_changed` AFTER UPDATE OF "id", "revoked_at", "access_epoch" ON `grants` BEGIN
	UPDATE `cache_versions` SET "grants" = "grants" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_grants_deleted` AFTER DELETE ON `grants` BEGIN
	UPDATE `cache_versions` SET "grants" = "grants" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_users_changed` AFTER UPDATE OF "id", "disabled_at", "access_epoch", "email", "name", "role", "email_verified_at", "locale", "picture_id", "profile_changed_at" ON `users` BEGIN
	UPDATE `cache_versions` SET "users" = "users" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_users_deleted` AFTER DELETE ON `users` BEGIN
	UPDATE `cache_versions` SET "users" = "users" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_applications_changed` AFTER UPDATE OF "id", "name" ON `applications` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_clients_changed` AFTER UPDATE OF "id", "application_id", "environment", "type", "redirect_uris", "post_logout_redirect_uris", "grant_types", "scopes", "first_party", "resource_server", "refresh_retry_seconds", "options", "origin", "approved_at", "disabled_at", "preview_frame", "access_epoch" ON `clients` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_clients_deleted` AFTER DELETE ON `clients` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_client_secrets_added` AFTER INSERT ON `client_secrets` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_client_secrets_changed` AFTER UPDATE OF "id", "client_id", "hash", "created_at", "expires_at", "revoked_at" ON `client_secrets` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_client_secrets_deleted` AFTER DELETE ON `client_secrets` BEGIN
	UPDATE `cache_versions` SET "clients" = "clients" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_endpoints_changed` AFTER UPDATE OF "slug", "provider", "environment", "settings", "forward", "disabled_at" ON `webhook_endpoints` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_endpoints_deleted` AFTER DELETE ON `webhook_endpoints` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_secrets_added` AFTER INSERT ON `webhook_secrets` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_secrets_changed` AFTER UPDATE OF "id", "endpoint", "kind", "sealed", "created_at", "expires_at", "removed_at" ON `webhook_secrets` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_webhook_secrets_deleted` AFTER DELETE ON `webhook_secrets` BEGIN
	UPDATE `cache_versions` SET "webhook_endpoints" = "webhook_endpoints" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_sign_in_providers_added` AFTER INSERT ON `sign_in_providers` BEGIN
	UPDATE `cache_versions` SET "sign_in_providers" = "sign_in_providers" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_sign_in_providers_changed` AFTER UPDATE ON `sign_in_providers` BEGIN
	UPDATE `cache_versions` SET "sign_in_providers" = "sign_in_providers" + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `cached_sign_in_providers_deleted` AFTER DELETE ON `sign_in_providers` BEGIN
	UPDATE `cache_versions` SET "sign_in_providers" = "sign_in_providers" + 1;
END;
