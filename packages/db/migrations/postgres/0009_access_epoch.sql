ALTER TABLE "grants" ADD COLUMN "access_epoch" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "access_epoch" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "registered_by" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_verified_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "access_epoch" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A role above "user" was given by an operator. Who made the other accounts is unknown: null counts as self-registered.
UPDATE users SET registered_by = 'operator' WHERE role <> 'user';
