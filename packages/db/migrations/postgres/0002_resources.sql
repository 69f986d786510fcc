ALTER TABLE "authorization_codes" ADD COLUMN "audience" text;--> statement-breakpoint
ALTER TABLE "device_codes" ADD COLUMN "audience" text;