-- A role for the server that can change no table, and no row of the audit log. OP-100
--
--   createuser --pwprompt gatehouse_app
--   psql "$DATABASE_DIRECT_URL" -v ON_ERROR_STOP=1 -f app-role.sql
--
-- Run it as the role that migrates and owns the tables, after the first `gatehouse migrate`. Then DATABASE_URL names
-- gatehouse_app, and DATABASE_DIRECT_URL, which only `gatehouse migrate` needs, the owner.

REVOKE ALL ON SCHEMA public FROM PUBLIC;
REVOKE CREATE ON SCHEMA public FROM gatehouse_app;
GRANT USAGE ON SCHEMA public TO gatehouse_app;

-- Tables of later migrations too.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO gatehouse_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO gatehouse_app;

-- Which migrations were applied is for the owner to say.
REVOKE INSERT, UPDATE, DELETE ON gatehouse_migrations, product_migrations FROM gatehouse_app;

-- What happened cannot be rewritten. The server numbers and chains each row once, a moment after it was written, and
-- deletes rows whose retention is over, with a mark in the chain.
REVOKE UPDATE ON audit FROM gatehouse_app;
GRANT UPDATE (number, hash, mac, key_id) ON audit TO gatehouse_app;
