DROP INDEX "clients_application_environment";--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "name" text DEFAULT 'Main' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "clients_application_name_environment" ON "clients" USING btree ("application_id","name","environment");