-- since when each listener loses time to a cause
-- hours_with: hours with the cause; hours_seen: hours with any connection; first_path: first capture with the cause.
WITH lost AS (
  SELECT c.server, l.cause, l.capture_id, l.first_utc_ns - l.first_utc_ns % 3600000000000 AS hour_utc_ns,
    SUM(l.cost_ms) AS lost_ms, MIN(l.first_utc_ns) AS first_utc_ns
  FROM ledger AS l
  JOIN told AS c ON c.capture_id = l.capture_id AND c.stream = l.stream
  WHERE l.cause NOT IN ('wire', 'handshake', 'client_idle', 'close', 'reset', 'keep_alive', 'capture_gap', 'unknown')
    AND ($cause = '' OR l.cause = $cause)
  GROUP BY c.server, l.cause, l.capture_id, l.first_utc_ns - l.first_utc_ns % 3600000000000
), ordered AS (
  SELECT lost.*, FIRST_VALUE(capture_id) OVER (PARTITION BY server, cause ORDER BY first_utc_ns, capture_id) AS first_capture
  FROM lost
), began AS (
  SELECT server, cause, MIN(first_utc_ns) AS began_utc_ns, MAX(hour_utc_ns) AS last_hour_utc_ns,
    COUNT(DISTINCT hour_utc_ns) AS hours_with, SUM(lost_ms) AS lost_ms, MIN(first_capture) AS first_capture
  FROM ordered GROUP BY server, cause
), seen AS (
  SELECT server, COUNT(DISTINCT start_utc_ns - start_utc_ns % 3600000000000) AS hours_seen
  FROM told GROUP BY server
)
SELECT began.server, began.cause, began.began_utc_ns, began.last_hour_utc_ns, began.hours_with, seen.hours_seen,
  began.lost_ms, captures.path AS first_path
FROM began
JOIN seen ON seen.server = began.server
JOIN captures ON captures.capture_id = began.first_capture
ORDER BY began.lost_ms DESC, began.server, began.cause
LIMIT $limit
