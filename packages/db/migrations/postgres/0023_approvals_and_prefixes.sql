-- min_program: any
-- The console finds users by the beginning of the address or name: a range of bytes in an index.
ALTER TABLE "users" ALTER COLUMN "email" SET DATA TYPE text COLLATE "C", ALTER COLUMN "name" SET DATA TYPE text COLLATE "C";--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "approved_at" bigint;--> statement-breakpoint
CREATE INDEX "clients_self_registered" ON "clients" USING btree ("created_at","application_id") WHERE "clients"."origin" <> 'registered';--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree (lower("name"),"id");