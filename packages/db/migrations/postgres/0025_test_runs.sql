CREATE TABLE "test_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"operator_id" text NOT NULL,
	"grant_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_codes" ADD COLUMN "test_run_id" text;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD COLUMN "test_run_id" text;--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_operator_id_users_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_runs" ADD CONSTRAINT "test_runs_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "test_runs_grant_id" ON "test_runs" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "test_runs_client_id" ON "test_runs" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "test_runs_operator_id" ON "test_runs" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "test_runs_expires_at" ON "test_runs" USING btree ("expires_at");