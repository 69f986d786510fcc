-- min_program: any
-- SQLite's triggers stay: a row costs them no search. On PostgreSQL, this migration counts the rows of a transaction at once.
SELECT 1;
