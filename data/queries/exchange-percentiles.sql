-- response times by listener
-- Nearest-rank percentiles of complete transactions, request to last byte of the response.
WITH counted AS (
  SELECT c.server, e.total_ms, COUNT(*) AS n, SUM(CASE WHEN e.status >= 400 THEN 1 ELSE 0 END) AS errors
  FROM told AS c
  CROSS JOIN exchanges AS e
  WHERE e.capture_id = c.capture_id AND e.stream = c.stream AND e.complete AND e.total_ms IS NOT NULL
  GROUP BY c.server, e.total_ms
), ranked AS (
  SELECT counted.*, SUM(n) OVER (PARTITION BY server ORDER BY total_ms) AS rank, SUM(n) OVER (PARTITION BY server) AS n_all
  FROM counted
)
SELECT server, MAX(n_all) AS exchanges,
  MIN(CASE WHEN rank * 100 >= n_all * 50 THEN total_ms END) AS p50_ms,
  MIN(CASE WHEN rank * 100 >= n_all * 75 THEN total_ms END) AS p75_ms,
  MIN(CASE WHEN rank * 100 >= n_all * 90 THEN total_ms END) AS p90_ms,
  MIN(CASE WHEN rank * 100 >= n_all * 99 THEN total_ms END) AS p99_ms,
  MAX(total_ms) AS max_ms,
  SUM(errors) AS errors
FROM ranked
GROUP BY server
ORDER BY p99_ms DESC, server
LIMIT $limit
