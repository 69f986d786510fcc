DROP INDEX "sessions_user_id";--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" USING btree ("user_id","created_at","id");