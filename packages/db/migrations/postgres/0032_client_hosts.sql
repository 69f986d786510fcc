-- min_program: any
-- Older programs add and change clients too, and the triggers their hosts. Hosts are compared by bytes.
-- Two redirect URIs can have the same host, hence ON CONFLICT. Redirect hosts of more than 128 characters are left out: strangers
-- register clients, and the rows of a host grow with the square of its length.
CREATE TABLE "client_hosts" (
	"kind" text NOT NULL,
	"host" text COLLATE "C" NOT NULL,
	"client_id" text NOT NULL,
	CONSTRAINT "client_hosts_kind_host_client_id_pk" PRIMARY KEY("kind","host","client_id")
);
--> statement-breakpoint
CREATE INDEX "clients_blocked" ON "clients" USING btree ("id") WHERE "clients"."origin" <> 'registered' and "clients"."disabled_at" is not null;--> statement-breakpoint
CREATE INDEX "clients_software_id" ON "clients" USING btree ("software_id") WHERE "clients"."software_id" is not null;--> statement-breakpoint
CREATE INDEX "clients_needing_secret" ON "clients" USING btree ("id") WHERE "clients"."environment" = 'production' and "clients"."origin" = 'registered' and "clients"."type" in ('web', 'service') and "clients"."disabled_at" is null and coalesce("clients"."options" ->> 'authentication', '') <> 'private_key_jwt';
--> statement-breakpoint
CREATE FUNCTION "hosts_of_client"("redirect_uris" json, "document_host" text) RETURNS TABLE ("kind" text, "host" text) LANGUAGE sql IMMUTABLE AS $$
	WITH hosts ("kind", "labels") AS (
		SELECT 'redirect', string_to_array(lower(substring("uri" FROM '://([^/?#]+)')), '.') FROM json_array_elements_text("redirect_uris") AS "uri"
		UNION ALL SELECT 'document', string_to_array("document_host", '.')
	)
	SELECT "kind", CASE WHEN "first" > 1 THEN '.' ELSE '' END || array_to_string("labels"["first":], '.')
	FROM hosts, generate_subscripts("labels", 1) AS "first"
	WHERE "kind" = 'document' OR length(array_to_string("labels", '.')) <= 128
$$;
--> statement-breakpoint
INSERT INTO "client_hosts" ("kind", "host", "client_id")
SELECT h."kind", h."host", c."id" FROM "clients" AS c, "hosts_of_client"(c."redirect_uris", c."document_host") AS h ON CONFLICT DO NOTHING;
--> statement-breakpoint
ALTER TABLE "client_hosts" ADD CONSTRAINT "client_hosts_client_id_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "client_hosts_client_id" ON "client_hosts" USING btree ("client_id");
--> statement-breakpoint
CREATE FUNCTION "keep_client_hosts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		DELETE FROM "client_hosts" WHERE "client_id" = NEW."id";
	END IF;
	INSERT INTO "client_hosts" ("kind", "host", "client_id")
	SELECT h."kind", h."host", NEW."id" FROM "hosts_of_client"(NEW."redirect_uris", NEW."document_host") AS h ON CONFLICT DO NOTHING;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "clients_hosts_added" AFTER INSERT ON "clients" FOR EACH ROW EXECUTE FUNCTION "keep_client_hosts"();
--> statement-breakpoint
CREATE TRIGGER "clients_hosts_changed" AFTER UPDATE OF "redirect_uris", "document_host" ON "clients" FOR EACH ROW
WHEN (NEW."redirect_uris"::text IS DISTINCT FROM OLD."redirect_uris"::text OR NEW."document_host" IS DISTINCT FROM OLD."document_host")
EXECUTE FUNCTION "keep_client_hosts"();
