ALTER TABLE "webhook_secrets" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD COLUMN "removed_at" bigint;--> statement-breakpoint
ALTER TABLE "webhook_secrets" ADD COLUMN "last_matched_at" bigint;