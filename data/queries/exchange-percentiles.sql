-- response times by listener
-- Nearest-rank percentiles of complete transactions, request to last byte of the response.
WITH ranked AS (
  SELECT c.server, e.total_ms, e.status,
    ROW_NUMBER() OVER (PARTITION BY c.server ORDER BY e.total_ms) AS rank,
    COUNT(*) OVER (PARTITION BY c.server) AS n
  FROM exchanges AS e
  JOIN told AS c ON c.capture_id = e.capture_id AND c.stream = e.stream
  WHERE e.complete AND e.total_ms IS NOT NULL
)
SELECT server, MAX(n) AS exchanges,
  MIN(CASE WHEN rank * 100 >= n * 50 THEN total_ms END) AS p50_ms,
  MIN(CASE WHEN rank * 100 >= n * 75 THEN total_ms END) AS p75_ms,
  MIN(CASE WHEN rank * 100 >= n * 90 THEN total_ms END) AS p90_ms,
  MIN(CASE WHEN rank * 100 >= n * 99 THEN total_ms END) AS p99_ms,
  MAX(total_ms) AS max_ms,
  SUM(CASE WHEN status >= 400 THEN 1 ELSE 0 END) AS errors
FROM ranked
GROUP BY server
ORDER BY p99_ms DESC, server
LIMIT $limit
