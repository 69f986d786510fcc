-- min_program: any
-- SQLite compares text by bytes. On PostgreSQL, this migration changes the collation of the columns whose order matters.
SELECT 1;