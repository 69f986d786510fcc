CREATE TABLE "api_resources" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"scopes" json NOT NULL,
	"token_format" text NOT NULL,
	"token_algorithm" text NOT NULL,
	"created_at" bigint NOT NULL,
	"disabled_at" bigint
);
--> statement-breakpoint
CREATE TABLE "initial_access_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"remaining" integer,
	"expires_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "logout_notices" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"done_at" bigint,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "pushed_requests" (
	"hash" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"parameters" text NOT NULL,
	"dpop_jkt" text,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"algorithm" text NOT NULL,
	"public_jwk" json NOT NULL,
	"sealed_private_jwk" text NOT NULL,
	"created_at" bigint NOT NULL,
	"active_from" bigint NOT NULL,
	"retired_at" bigint,
	"remove_after" bigint
);
--> statement-breakpoint
CREATE TABLE "spent_ids" (
	"hash" text PRIMARY KEY NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "context" json;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD COLUMN "context" json;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "options" json DEFAULT '{}'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "origin" text DEFAULT 'registered' NOT NULL;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "registration_token_hash" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "last_used_at" bigint;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "session_id" text;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD COLUMN "context" json;--> statement-breakpoint
ALTER TABLE "logout_notices" ADD CONSTRAINT "logout_notices_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pushed_requests" ADD CONSTRAINT "pushed_requests_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "logout_notices_session_client" ON "logout_notices" USING btree ("session_id","client_id");--> statement-breakpoint
CREATE INDEX "logout_notices_due" ON "logout_notices" USING btree ("done_at","next_attempt_at");--> statement-breakpoint
CREATE INDEX "logout_notices_client_id" ON "logout_notices" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "pushed_requests_client_id" ON "pushed_requests" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "pushed_requests_expires_at" ON "pushed_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "signing_keys_algorithm_active_from" ON "signing_keys" USING btree ("algorithm","active_from");--> statement-breakpoint
CREATE INDEX "spent_ids_expires_at" ON "spent_ids" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "grants_session_id" ON "grants" USING btree ("session_id");