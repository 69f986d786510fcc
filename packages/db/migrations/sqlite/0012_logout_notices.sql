INSERT INTO `jobs` (`id`, `queue`, `payload`, `run_at`, `attempts`, `last_error`, `created_at`)
	SELECT `id`, 'logout_notice', json_object('clientId', `client_id`, 'userId', `user_id`, 'sessionId', `session_id`), `next_attempt_at`, `attempts`, `last_error`, `created_at`
	FROM `logout_notices` WHERE `done_at` IS NULL;--> statement-breakpoint
DROP TABLE `logout_notices`;
