-- Compared by bytes, whatever the collation of the database: time-ordered ids, and what is found by its beginning.
ALTER TABLE "access_tokens" ALTER COLUMN "hash" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "authorization_codes" ALTER COLUMN "hash" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "account_events" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "client_hosts" ALTER COLUMN "host" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "managed_objects" ALTER COLUMN "audit_from" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "refresh_families" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "sign_ins" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "email" SET DATA TYPE text COLLATE "C", ALTER COLUMN "name" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C", ALTER COLUMN "delivery_id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "webhook_events" ALTER COLUMN "delivery_id" SET DATA TYPE text COLLATE "C";
--> statement-breakpoint
-- Bodies of deliveries stay in their row if they fit.
ALTER TABLE "webhook_deliveries" SET (toast_tuple_target = 8160);
--> statement-breakpoint
-- Each code is updated once, when it is redeemed: there is room for the new version on its page.
ALTER TABLE "authorization_codes" SET (fillfactor = 80);
--> statement-breakpoint
-- A rotation changes no indexed column. With room for it in the page of the row, it writes no index either.
ALTER TABLE "refresh_families" SET (fillfactor = 70);
--> statement-breakpoint
-- Rows of jobs are updated and deleted all the time.
ALTER TABLE "jobs" SET (autovacuum_vacuum_scale_factor = 0.01);
--> statement-breakpoint
-- The number of users, applications and clients, kept in "totals". Adds up a transaction's rows before its total changes:
-- one update for each row would take its square in time.
CREATE FUNCTION "note_total"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	setting text := 'gatehouse.total_' || TG_TABLE_NAME;
	noted bigint := coalesce(nullif(current_setting(setting, true), ''), '0')::bigint;
BEGIN
	IF TG_OP = 'INSERT' THEN
		noted := noted + (SELECT count(*) FROM changed);
	ELSE
		noted := noted - (SELECT count(*) FROM changed);
	END IF;
	PERFORM set_config(setting, noted::text, true);
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Runs for each row when the transaction commits; the first one writes.
CREATE FUNCTION "count_total"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	setting text := 'gatehouse.total_' || TG_TABLE_NAME;
	noted bigint := coalesce(nullif(current_setting(setting, true), ''), '0')::bigint;
BEGIN
	IF noted <> 0 THEN
		PERFORM set_config(setting, '0', true);
		INSERT INTO "totals" ("name", "count") VALUES (TG_TABLE_NAME, noted)
			ON CONFLICT ("name") DO UPDATE SET "count" = "totals"."count" + excluded."count";
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Deferred: a transaction locks the total only while it commits, after every other row.
CREATE CONSTRAINT TRIGGER "users_total" AFTER INSERT OR DELETE ON "users" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "applications_total" AFTER INSERT OR DELETE ON "applications" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "clients_total" AFTER INSERT OR DELETE ON "clients" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();
--> statement-breakpoint
CREATE TRIGGER "users_added" AFTER INSERT ON "users" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "users_deleted" AFTER DELETE ON "users" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "applications_added" AFTER INSERT ON "applications" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "applications_deleted" AFTER DELETE ON "applications" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "clients_added" AFTER INSERT ON "clients" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
CREATE TRIGGER "clients_deleted" AFTER DELETE ON "clients" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "note_total"();
--> statement-breakpoint
-- Each application has a row in "application_use", so that the console can sort by it.
CREATE FUNCTION "add_application_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "application_use" ("application_id", "last_token_at", "refusals") SELECT "id", 0, 0 FROM changed ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "delete_application_use"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "application_use" WHERE "application_id" IN (SELECT "id" FROM changed);
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "applications_use_added" AFTER INSERT ON "applications" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "add_application_use"();
--> statement-breakpoint
CREATE TRIGGER "applications_use_deleted" AFTER DELETE ON "applications" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION "delete_application_use"();
--> statement-breakpoint
-- The hosts of a client, with a row for each domain above. Two redirect URIs can have the same host, hence ON CONFLICT. Redirect hosts of
-- more than 128 characters are left out: strangers register clients, and the rows of a host grow with the square of its length.
CREATE FUNCTION "hosts_of_client"("redirect_uris" json, "document_host" text) RETURNS TABLE ("kind" text, "host" text) LANGUAGE sql IMMUTABLE AS $$
	WITH hosts ("kind", "labels") AS (
		SELECT 'redirect', string_to_array(lower(substring("uri" FROM '://([^/?#]+)')), '.') FROM json_array_elements_text("redirect_uris") AS "uri"
		UNION ALL SELECT 'document', string_to_array("document_host", '.')
	)
	SELECT "kind", CASE WHEN "first" > 1 THEN '.' ELSE '' END || array_to_string("labels"["first":], '.')
	FROM hosts, generate_subscripts("labels", 1) AS "first"
	WHERE "kind" = 'document' OR length(array_to_string("labels", '.')) <= 128
$$;
--> statement-breakpoint
CREATE FUNCTION "keep_client_hosts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		DELETE FROM "client_hosts" WHERE "client_id" = NEW."id";
	END IF;
	INSERT INTO "client_hosts" ("kind", "host", "client_id")
	SELECT h."kind", h."host", NEW."id" FROM "hosts_of_client"(NEW."redirect_uris", NEW."document_host") AS h ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "clients_hosts_added" AFTER INSERT ON "clients" FOR EACH ROW EXECUTE FUNCTION "keep_client_hosts"();
--> statement-breakpoint
CREATE TRIGGER "clients_hosts_changed" AFTER UPDATE OF "redirect_uris", "document_host" ON "clients" FOR EACH ROW
WHEN (NEW."redirect_uris"::text IS DISTINCT FROM OLD."redirect_uris"::text OR NEW."document_host" IS DISTINCT FROM OLD."document_host")
EXECUTE FUNCTION "keep_client_hosts"();
--> statement-breakpoint
-- What each process caches changes by these transactions (`src/cache/caches.ts`). A process asks for those that its last snapshot lacks
-- (`src/postgres/cache-versions.ts`), so no writer waits for another, as it would for a counter. The triggers are those of SQLite, which a test
-- compares. Unlogged: after a crash, when the server can use a transaction id again, both tables are empty.
CREATE UNLOGGED TABLE "cache_changes" (
	"xid" xid8 NOT NULL,
	"cache" text NOT NULL,
	"created_at" bigint DEFAULT floor(extract(epoch FROM statement_timestamp())) NOT NULL,
	PRIMARY KEY ("xid", "cache")
);
--> statement-breakpoint
-- One row, made by the first process that asks. While its id is the same, no transaction id was used again. `swept`: the last one deleted.
CREATE UNLOGGED TABLE "cache_epoch" (
	"one" integer PRIMARY KEY DEFAULT 1 NOT NULL CHECK ("one" = 1),
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"swept" xid8 DEFAULT '0' NOT NULL
);
--> statement-breakpoint
-- The id of the whole transaction, in a savepoint too: that is what snapshots know.
CREATE FUNCTION "note_cache_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "cache_changes" ("xid", "cache") VALUES (pg_current_xact_id(), TG_ARGV[0]) ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "cached_access_tokens_changed" AFTER UPDATE ON "access_tokens" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('access_tokens');
--> statement-breakpoint
-- The sweeper deletes expired tokens, and a cached one is rejected anyway.
CREATE TRIGGER "cached_access_tokens_deleted" AFTER DELETE ON "access_tokens" FOR EACH ROW
WHEN (OLD."expires_at" > extract(epoch FROM statement_timestamp())) EXECUTE FUNCTION "note_cache_change"('access_tokens');
--> statement-breakpoint
CREATE TRIGGER "cached_grants_changed" AFTER UPDATE OF "id", "revoked_at", "access_epoch" ON "grants" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('grants');
--> statement-breakpoint
CREATE TRIGGER "cached_grants_deleted" AFTER DELETE ON "grants" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('grants');
--> statement-breakpoint
CREATE TRIGGER "cached_users_changed" AFTER UPDATE OF "id", "disabled_at", "access_epoch", "email", "name", "role", "email_verified_at", "locale", "picture_id", "profile_changed_at" ON "users" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('users');
--> statement-breakpoint
CREATE TRIGGER "cached_users_deleted" AFTER DELETE ON "users" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('users');
--> statement-breakpoint
CREATE TRIGGER "cached_applications_changed" AFTER UPDATE OF "id", "name" ON "applications" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_clients_changed" AFTER UPDATE OF "id", "application_id", "environment", "type", "redirect_uris", "post_logout_redirect_uris", "grant_types", "scopes", "first_party", "resource_server", "refresh_retry_seconds", "options", "origin", "approved_at", "disabled_at", "preview_frame", "access_epoch" ON "clients" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_clients_deleted" AFTER DELETE ON "clients" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_client_secrets_added" AFTER INSERT ON "client_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_client_secrets_changed" AFTER UPDATE OF "id", "client_id", "hash", "created_at", "expires_at", "revoked_at" ON "client_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_client_secrets_deleted" AFTER DELETE ON "client_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_endpoints_changed" AFTER UPDATE OF "slug", "provider", "environment", "settings", "forward", "disabled_at" ON "webhook_endpoints" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_endpoints_deleted" AFTER DELETE ON "webhook_endpoints" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_secrets_added" AFTER INSERT ON "webhook_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_secrets_changed" AFTER UPDATE OF "id", "endpoint", "kind", "sealed", "created_at", "expires_at", "removed_at" ON "webhook_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_secrets_deleted" AFTER DELETE ON "webhook_secrets" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_sign_in_providers_added" AFTER INSERT ON "sign_in_providers" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('sign_in_providers');
--> statement-breakpoint
CREATE TRIGGER "cached_sign_in_providers_changed" AFTER UPDATE ON "sign_in_providers" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('sign_in_providers');
--> statement-breakpoint
CREATE TRIGGER "cached_sign_in_providers_deleted" AFTER DELETE ON "sign_in_providers" FOR EACH ROW EXECUTE FUNCTION "note_cache_change"('sign_in_providers');
--> statement-breakpoint
CREATE TRIGGER "cached_access_tokens_truncated" AFTER TRUNCATE ON "access_tokens" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('access_tokens');
--> statement-breakpoint
CREATE TRIGGER "cached_grants_truncated" AFTER TRUNCATE ON "grants" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('grants');
--> statement-breakpoint
CREATE TRIGGER "cached_users_truncated" AFTER TRUNCATE ON "users" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('users');
--> statement-breakpoint
CREATE TRIGGER "cached_applications_truncated" AFTER TRUNCATE ON "applications" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_clients_truncated" AFTER TRUNCATE ON "clients" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_client_secrets_truncated" AFTER TRUNCATE ON "client_secrets" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('clients');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_endpoints_truncated" AFTER TRUNCATE ON "webhook_endpoints" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_webhook_secrets_truncated" AFTER TRUNCATE ON "webhook_secrets" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('webhook_endpoints');
--> statement-breakpoint
CREATE TRIGGER "cached_sign_in_providers_truncated" AFTER TRUNCATE ON "sign_in_providers" FOR EACH STATEMENT EXECUTE FUNCTION "note_cache_change"('sign_in_providers');
