-- told: each connection once, in the capture that tells it (copies.sql)
-- This is no answer: the other files ask it.
CREATE TEMP VIEW IF NOT EXISTS told AS
SELECT *
FROM connections AS c
WHERE NOT EXISTS (SELECT 1 FROM copies WHERE copies.capture_id = c.capture_id AND copies.stream = c.stream AND place > 1);
