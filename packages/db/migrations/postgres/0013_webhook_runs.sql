CREATE TABLE "webhook_reconciliations" (
	"endpoint" text PRIMARY KEY NOT NULL,
	"cursor" text,
	"complete_up_to" bigint,
	"recovered" bigint NOT NULL,
	"next_run_at" bigint NOT NULL,
	"last_run_at" bigint,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "webhook_reruns" (
	"id" text PRIMARY KEY NOT NULL,
	"trigger" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"role" text NOT NULL,
	"selection" json NOT NULL,
	"state" text NOT NULL,
	"cursor" text,
	"total" bigint NOT NULL,
	"total_known" boolean NOT NULL,
	"succeeded" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"skipped" bigint NOT NULL,
	"problems" json NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
ALTER TABLE "webhook_reconciliations" ADD CONSTRAINT "webhook_reconciliations_endpoint_webhook_endpoints_slug_fk" FOREIGN KEY ("endpoint") REFERENCES "public"."webhook_endpoints"("slug") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_reconciliations_next" ON "webhook_reconciliations" USING btree ("next_run_at");--> statement-breakpoint
CREATE INDEX "webhook_reruns_created_at" ON "webhook_reruns" USING btree ("created_at");