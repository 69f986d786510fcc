-- min_program: any
-- Older programs write the same rows, and the triggers count them.
CREATE TABLE "client_day" (
	"client_id" text NOT NULL,
	"day" bigint NOT NULL,
	"metric" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "client_day_client_id_day_metric_pk" PRIMARY KEY("client_id","day","metric")
);
--> statement-breakpoint
CREATE TABLE "client_use" (
	"client_id" text PRIMARY KEY NOT NULL,
	"last_token_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scope_day" (
	"client_id" text NOT NULL,
	"scope" text NOT NULL,
	"day" bigint NOT NULL,
	"uses" bigint NOT NULL,
	CONSTRAINT "scope_day_client_id_scope_day_pk" PRIMARY KEY("client_id","scope","day")
);
--> statement-breakpoint
CREATE TABLE "secret_day" (
	"secret_id" text NOT NULL,
	"day" bigint NOT NULL,
	"uses" bigint NOT NULL,
	CONSTRAINT "secret_day_secret_id_day_pk" PRIMARY KEY("secret_id","day")
);
--> statement-breakpoint
CREATE TABLE "totals" (
	"name" text PRIMARY KEY NOT NULL,
	"count" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uri_day" (
	"client_id" text NOT NULL,
	"uri_hash" text NOT NULL,
	"day" bigint NOT NULL,
	"uses" bigint NOT NULL,
	CONSTRAINT "uri_day_client_id_uri_hash_day_pk" PRIMARY KEY("client_id","uri_hash","day")
);
--> statement-breakpoint
CREATE INDEX "client_day_day" ON "client_day" USING btree ("day","client_id");--> statement-breakpoint
CREATE INDEX "client_use_last_token" ON "client_use" USING btree ("last_token_at","client_id");--> statement-breakpoint
CREATE INDEX "scope_day_day" ON "scope_day" USING btree ("day","client_id");--> statement-breakpoint
CREATE INDEX "secret_day_day" ON "secret_day" USING btree ("day","secret_id");--> statement-breakpoint
CREATE INDEX "uri_day_day" ON "uri_day" USING btree ("day","client_id");
--> statement-breakpoint
CREATE FUNCTION "count_total"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO "totals" ("name", "count") VALUES (TG_TABLE_NAME, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END)
		ON CONFLICT ("name") DO UPDATE SET "count" = "totals"."count" + excluded."count";
	RETURN NULL;
END $$;
--> statement-breakpoint
INSERT INTO "totals" ("name", "count") SELECT 'users', count(*) FROM "users" HAVING count(*) > 0;
--> statement-breakpoint
-- Deferred: a transaction locks the total only while it commits, after every other row.
CREATE CONSTRAINT TRIGGER "users_total" AFTER INSERT OR DELETE ON "users" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();
--> statement-breakpoint
INSERT INTO "totals" ("name", "count") SELECT 'applications', count(*) FROM "applications" HAVING count(*) > 0;
--> statement-breakpoint
-- Deferred: a transaction locks the total only while it commits, after every other row.
CREATE CONSTRAINT TRIGGER "applications_total" AFTER INSERT OR DELETE ON "applications" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();
--> statement-breakpoint
INSERT INTO "totals" ("name", "count") SELECT 'clients', count(*) FROM "clients" HAVING count(*) > 0;
--> statement-breakpoint
-- Deferred: a transaction locks the total only while it commits, after every other row.
CREATE CONSTRAINT TRIGGER "clients_total" AFTER INSERT OR DELETE ON "clients" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION "count_total"();