-- min_program: any
-- Older programs add applications too, and the triggers their rows.
CREATE TABLE "application_refusals" (
	"application_id" text NOT NULL,
	"hour" bigint NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "application_refusals_application_id_hour_pk" PRIMARY KEY("application_id","hour")
);
--> statement-breakpoint
CREATE TABLE "application_use" (
	"application_id" text PRIMARY KEY NOT NULL,
	"last_token_at" bigint NOT NULL,
	"refusals" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "application_refusals_hour" ON "application_refusals" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "application_use_last_token" ON "application_use" USING btree ("last_token_at","application_id");--> statement-breakpoint
CREATE INDEX "application_use_refusals" ON "application_use" USING btree ("refusals","application_id");--> statement-breakpoint
CREATE INDEX "client_secrets_hint" ON "client_secrets" USING btree ("hint");--> statement-breakpoint
CREATE INDEX "applications_name_order" ON "applications" USING btree (lower("name"),"id");
--> statement-breakpoint
INSERT INTO "application_use" ("application_id", "last_token_at", "refusals")
SELECT a."id", coalesce((SELECT max(u."last_token_at") FROM "client_use" AS u JOIN "clients" AS c ON c."id" = u."client_id" WHERE c."application_id" = a."id"), 0), 0
FROM "applications" AS a;
--> statement-breakpoint
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
