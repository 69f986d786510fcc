CREATE TABLE "audit" (
	"id" text PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"role" text NOT NULL,
	"via" text NOT NULL,
	"action" text NOT NULL,
	"object" text NOT NULL,
	"environment" text,
	"detail" json NOT NULL,
	"address" text
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"queue" text NOT NULL,
	"order_key" text,
	"payload" json NOT NULL,
	"run_at" bigint NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"lease_token" text,
	"last_error" text,
	"dead_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stat_day" (
	"at" bigint NOT NULL,
	"environment" text NOT NULL,
	"metric" text NOT NULL,
	"key" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "stat_day_at_environment_metric_key_pk" PRIMARY KEY("at","environment","metric","key")
);
--> statement-breakpoint
CREATE TABLE "stat_hour" (
	"at" bigint NOT NULL,
	"environment" text NOT NULL,
	"metric" text NOT NULL,
	"key" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "stat_hour_at_environment_metric_key_pk" PRIMARY KEY("at","environment","metric","key")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"delivery_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"event_key" "bytea" NOT NULL,
	"handler" text NOT NULL,
	"trigger" text NOT NULL,
	"started_at" bigint NOT NULL,
	"ms" bigint NOT NULL,
	"outcome" text NOT NULL,
	"error" text,
	"stack" text,
	"actor" text
);
--> statement-breakpoint
CREATE TABLE "webhook_effects" (
	"endpoint" text NOT NULL,
	"event_key" "bytea" NOT NULL,
	"handler" text NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "webhook_effects_endpoint_event_key_handler_name_pk" PRIMARY KEY("endpoint","event_key","handler","name")
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"slug" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"environment" text NOT NULL,
	"name" text,
	"settings" json NOT NULL,
	"created_at" bigint NOT NULL,
	"disabled_at" bigint,
	"last_accepted_at" bigint,
	"last_refused_at" bigint,
	"last_refused_reason" text
);
--> statement-breakpoint
INSERT INTO "webhook_endpoints" ("slug", "provider", "environment", "settings", "created_at", "disabled_at")
	SELECT "provider", "provider", 'production', '{}', "created_at", "disabled_at" FROM "webhook_providers";
--> statement-breakpoint
INSERT INTO "stat_hour" ("at", "environment", "metric", "key", "count")
	SELECT "minute_at" - "minute_at" % 3600, CASE WHEN "provider" = 'unknown' THEN '' ELSE 'production' END, 'webhook_overflow', "provider" || '/' || "reason", sum("count")
	FROM "webhook_overflow" GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO "stat_day" ("at", "environment", "metric", "key", "count")
	SELECT "minute_at" - "minute_at" % 86400, CASE WHEN "provider" = 'unknown' THEN '' ELSE 'production' END, 'webhook_overflow', "provider" || '/' || "reason", sum("count")
	FROM "webhook_overflow" GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
DROP TABLE "webhook_overflow";
--> statement-breakpoint
ALTER TABLE "webhook_secrets" DROP CONSTRAINT "webhook_secrets_provider_webhook_providers_provider_fk";
--> statement-breakpoint
DROP TABLE "webhook_providers";
--> statement-breakpoint
DROP INDEX "webhook_secrets_provider_hash";
--> statement-breakpoint
ALTER TABLE "webhook_secrets" RENAME COLUMN "provider" TO "endpoint";
--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD COLUMN "kind" text NOT NULL DEFAULT 'signing';
--> statement-breakpoint
ALTER TABLE "webhook_secrets" ALTER COLUMN "kind" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_endpoint_webhook_endpoints_slug_fk" FOREIGN KEY ("endpoint") REFERENCES "public"."webhook_endpoints"("slug") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_secrets_endpoint_hash" ON "webhook_secrets" USING btree ("endpoint","hash");
--> statement-breakpoint
DROP INDEX "webhook_deliveries_received_at";
--> statement-breakpoint
DROP INDEX "webhook_deliveries_provider";
--> statement-breakpoint
DROP INDEX "webhook_deliveries_event_id";
--> statement-breakpoint
DROP INDEX "webhook_deliveries_outcome";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" RENAME COLUMN "provider" TO "endpoint";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ALTER COLUMN "body" DROP NOT NULL;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "event_key" "bytea";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "source" text NOT NULL DEFAULT 'http';
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ALTER COLUMN "source" DROP DEFAULT;
--> statement-breakpoint
UPDATE "webhook_deliveries" d SET "event_key" = substring(sha256(convert_to(e."dedupe_key", 'UTF8')) for 16) FROM "webhook_events" e WHERE e."id" = d."id";
--> statement-breakpoint
UPDATE "webhook_deliveries" SET "event_key" = substring(sha256(convert_to('id:' || "event_id", 'UTF8')) for 16) WHERE "outcome" = 'duplicate' AND "event_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("endpoint","id");
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_outcome" ON "webhook_deliveries" USING btree ("outcome","id") WHERE "webhook_deliveries"."outcome" <> 'accepted';
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" SET (toast_tuple_target = 8160);
--> statement-breakpoint
CREATE TABLE "__new_webhook_events" (
	"endpoint" text NOT NULL,
	"key" "bytea" NOT NULL,
	"delivery_id" text NOT NULL,
	"received_at" bigint NOT NULL,
	"event_type" text,
	"state" text NOT NULL,
	CONSTRAINT "webhook_events_endpoint_key_pk" PRIMARY KEY("endpoint","key")
);
--> statement-breakpoint
INSERT INTO "__new_webhook_events" ("endpoint", "key", "delivery_id", "received_at", "event_type", "state")
	SELECT "provider", substring(sha256(convert_to("dedupe_key", 'UTF8')) for 16), "delivery_id", "received_at", "event_type", 'stored' FROM "webhook_events";
--> statement-breakpoint
DROP TABLE "webhook_events";
--> statement-breakpoint
ALTER TABLE "__new_webhook_events" RENAME TO "webhook_events";
--> statement-breakpoint
CREATE INDEX "webhook_events_state" ON "webhook_events" USING btree ("state","delivery_id") WHERE "webhook_events"."state" in ('pending', 'failed', 'dead');
--> statement-breakpoint
CREATE INDEX "audit_object" ON "audit" USING btree ("object","id");
--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("queue","run_at","id") WHERE "jobs"."dead_at" is null;
--> statement-breakpoint
CREATE INDEX "jobs_order" ON "jobs" USING btree ("queue","order_key","id") WHERE "jobs"."order_key" is not null;
--> statement-breakpoint
CREATE INDEX "jobs_dead" ON "jobs" USING btree ("dead_at","id") WHERE "jobs"."dead_at" is not null;
--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");
