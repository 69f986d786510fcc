CREATE TABLE "preview_grants" (
	"slot_id" text NOT NULL,
	"grant_id" text NOT NULL,
	CONSTRAINT "preview_grants_slot_id_grant_id_pk" PRIMARY KEY("slot_id","grant_id")
);
--> statement-breakpoint
CREATE TABLE "preview_slots" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"key" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"maker_id" text NOT NULL,
	"maker_name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"renewed_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "preview_frame" json;--> statement-breakpoint
ALTER TABLE "preview_grants" ADD CONSTRAINT "preview_grants_slot_id_preview_slots_id_fk" FOREIGN KEY ("slot_id") REFERENCES "public"."preview_slots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_grants" ADD CONSTRAINT "preview_grants_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_slots" ADD CONSTRAINT "preview_slots_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "preview_grants_grant_id" ON "preview_grants" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "preview_slots_ends" ON "preview_slots" USING btree ("client_id","ends_at","id");--> statement-breakpoint
CREATE INDEX "preview_slots_key" ON "preview_slots" USING btree ("client_id","key","ends_at");--> statement-breakpoint
CREATE INDEX "preview_slots_redirect_uri" ON "preview_slots" USING btree ("client_id","redirect_uri","ends_at");--> statement-breakpoint
CREATE INDEX "preview_slots_ends_at" ON "preview_slots" USING btree ("ends_at");