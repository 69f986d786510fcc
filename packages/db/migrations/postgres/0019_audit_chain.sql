CREATE TABLE "audit_chain" (
	"id" text PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"hash" text NOT NULL,
	"mac" text NOT NULL,
	"key_id" text NOT NULL,
	"pruned_number" bigint NOT NULL,
	"pruned_hash" text NOT NULL,
	"pruned_mac" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "removed_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"environment" text,
	"application_id" text NOT NULL,
	"application_name" text NOT NULL,
	"rows" json NOT NULL,
	"removed_at" bigint NOT NULL,
	"removed_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_client_ids" (
	"id" text PRIMARY KEY NOT NULL,
	"client_name" text NOT NULL,
	"application_id" text NOT NULL,
	"removed_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "object_name" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "number" bigint;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "mac" text;--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_resources" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_providers" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "removed_objects_removed_at" ON "removed_objects" USING btree ("removed_at","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_number" ON "audit" USING btree ("number");--> statement-breakpoint
CREATE INDEX "audit_unsealed" ON "audit" USING btree ("id") WHERE "audit"."number" is null;