-- min_program: any
-- Time-ordered ids are compared by bytes. Most collations sort them otherwise, and a database has any collation.
ALTER TABLE "account_events" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "audit" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C", ALTER COLUMN "delivery_id" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ALTER COLUMN "id" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "webhook_events" ALTER COLUMN "delivery_id" SET DATA TYPE text COLLATE "C";