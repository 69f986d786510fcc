ALTER TABLE "api_resources" ADD COLUMN "environments" json;--> statement-breakpoint
ALTER TABLE "api_resources" ADD COLUMN "attached_by" text DEFAULT 'admins' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_resources" ADD COLUMN "strangers" text DEFAULT 'refused' NOT NULL;