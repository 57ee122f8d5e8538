-- copies: connections that several captures may hold, each with the one that tells it
-- A five-tuple with the same client's ISN within 2 MSL (RFC 9293) is one connection; without a SYN, one at the same time.
-- The capture nearest to the side that sent more tells it. A SQLite archive that 'tcpwhy batch' finished has this table.
CREATE TEMP TABLE IF NOT EXISTS copies AS
WITH shared AS (
  SELECT client, server
  FROM connections
  GROUP BY client, server
  HAVING MIN(capture_id) <> MAX(capture_id) AND COUNT(DISTINCT client_isn) < COUNT(*)
), lives AS (
  SELECT capture_id, stream, client, server, client_isn, frames, start_utc_ns,
    start_utc_ns + CAST(duration_ms * 1000000 AS BIGINT) AS end_utc_ns,
    CASE vantage WHEN CASE WHEN bytes_to_server > bytes_to_client THEN 'client' ELSE 'server' END THEN 0
      WHEN 'client' THEN 2 WHEN 'server' THEN 2 ELSE 1 END AS distance
  FROM connections
  WHERE (client, server) IN (SELECT client, server FROM shared)
), began AS (
  SELECT late.capture_id, late.stream, MIN(early.client_isn) AS client_isn
  FROM lives AS late
  JOIN lives AS early ON early.client = late.client AND early.server = late.server
    AND early.capture_id <> late.capture_id AND early.client_isn IS NOT NULL
    AND early.start_utc_ns <= late.end_utc_ns AND late.start_utc_ns <= early.end_utc_ns
  WHERE late.client_isn IS NULL
  GROUP BY late.capture_id, late.stream
), opened AS (
  SELECT l.*, COALESCE(l.client_isn, b.client_isn) AS isn
  FROM lives AS l
  LEFT JOIN began AS b ON b.capture_id = l.capture_id AND b.stream = l.stream
), apart AS (
  SELECT o.*, CASE WHEN start_utc_ns - CASE WHEN isn IS NULL THEN 0 ELSE 240000000000 END
    > MAX(end_utc_ns) OVER (PARTITION BY client, server, isn ORDER BY start_utc_ns, capture_id, stream
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) THEN 1 ELSE 0 END AS anew
  FROM opened AS o
), numbered AS (
  SELECT a.*, SUM(anew) OVER (PARTITION BY client, server, isn ORDER BY start_utc_ns, capture_id, stream) AS life
  FROM apart AS a
), used AS (
  SELECT n.*, ROW_NUMBER() OVER (PARTITION BY client, server, isn, life, capture_id ORDER BY stream) AS use
  FROM numbered AS n
)
SELECT capture_id, stream,
  FIRST_VALUE(capture_id || ':' || stream) OVER nearest AS told_by,
  ROW_NUMBER() OVER nearest AS place
FROM used
WINDOW nearest AS (PARTITION BY client, server, isn, life, use ORDER BY distance, frames DESC, capture_id);
CREATE UNIQUE INDEX IF NOT EXISTS copies_by_stream ON copies (capture_id, stream);
