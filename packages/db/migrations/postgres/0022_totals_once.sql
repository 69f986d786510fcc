-- min_program: any
-- Adds up a transaction's rows before its total changes: one update for each row would take its square in time.
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
CREATE OR REPLACE FUNCTION "count_total"() RETURNS trigger LANGUAGE plpgsql AS $$
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
