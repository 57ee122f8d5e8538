-- since when each listener loses time to a cause
-- hours_with: hours with the cause; hours_seen: hours with any connection; first_path: first capture with the cause.
WITH lost AS (
  SELECT c.server, l.cause, l.cost_ms, l.first_utc_ns, l.capture_id,
    l.first_utc_ns - l.first_utc_ns % 3600000000000 AS hour_utc_ns
  FROM ledger AS l
  JOIN told AS c ON c.capture_id = l.capture_id AND c.stream = l.stream
  WHERE l.cause NOT IN ('wire', 'handshake', 'client_idle', 'close', 'reset', 'keep_alive', 'capture_gap', 'unknown')
    AND ($cause = '' OR l.cause = $cause)
), seen AS (
  SELECT server, COUNT(DISTINCT start_utc_ns - start_utc_ns % 3600000000000) AS hours_seen
  FROM told GROUP BY server
), first AS (
  SELECT server, cause, capture_id, first_utc_ns,
    ROW_NUMBER() OVER (PARTITION BY server, cause ORDER BY first_utc_ns, capture_id) AS n
  FROM lost
)
SELECT lost.server, lost.cause,
  MIN(lost.first_utc_ns) AS began_utc_ns,
  MAX(lost.hour_utc_ns) AS last_hour_utc_ns,
  COUNT(DISTINCT lost.hour_utc_ns) AS hours_with,
  MAX(seen.hours_seen) AS hours_seen,
  SUM(lost.cost_ms) AS lost_ms,
  MAX(captures.path) AS first_path
FROM lost
JOIN seen ON seen.server = lost.server
JOIN first ON first.server = lost.server AND first.cause = lost.cause AND first.n = 1
JOIN captures ON captures.capture_id = first.capture_id
GROUP BY lost.server, lost.cause
ORDER BY lost_ms DESC, lost.server, lost.cause
LIMIT $limit
