-- time lost per hour, by listener and cause
-- The hour is that of the connection's first interval of the cause.
SELECT l.first_utc_ns - l.first_utc_ns % 3600000000000 AS hour_utc_ns,
  c.server, l.cause,
  SUM(l.cost_ms) AS lost_ms,
  COUNT(DISTINCT c.capture_id || ':' || c.stream) AS connections
FROM ledger AS l
JOIN told AS c ON c.capture_id = l.capture_id AND c.stream = l.stream
WHERE l.cause NOT IN ('wire', 'handshake', 'client_idle', 'close', 'reset', 'keep_alive', 'capture_gap', 'unknown')
  AND ($cause = '' OR l.cause = $cause)
GROUP BY 1, c.server, l.cause
ORDER BY hour_utc_ns, lost_ms DESC, c.server, l.cause
LIMIT $limit
