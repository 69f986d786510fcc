CREATE TABLE "product_subscription_payments" (
	"endpoint" text NOT NULL,
	"subscription_id" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "product_subscription_payments_endpoint_subscription_id_pk" PRIMARY KEY("endpoint","subscription_id")
);
--> statement-breakpoint
CREATE TABLE "product_subscriptions" (
	"endpoint" text NOT NULL,
	"id" text NOT NULL,
	"environment" text NOT NULL,
	"user_id" text,
	"customer_id" text NOT NULL,
	"status" text NOT NULL,
	"plan" text NOT NULL,
	"period_end_at" bigint,
	"cancel_at_period_end" boolean NOT NULL,
	"last_event_id" text NOT NULL,
	"last_event_type" text NOT NULL,
	"last_event_at" bigint NOT NULL,
	"version" text NOT NULL,
	CONSTRAINT "product_subscriptions_endpoint_id_pk" PRIMARY KEY("endpoint","id")
);
--> statement-breakpoint
CREATE INDEX "product_subscriptions_newest" ON "product_subscriptions" USING btree ("last_event_at","id");--> statement-breakpoint
CREATE INDEX "product_subscriptions_user" ON "product_subscriptions" USING btree ("user_id","last_event_at","id");