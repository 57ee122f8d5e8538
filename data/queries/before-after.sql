-- effect of a change: time lost per connection before and after --date
-- By listener and cause; a connection counts on the side of its start. Null: no connection on that side.
WITH sides AS (
  SELECT server, SUM(CASE WHEN start_utc_ns < $date_utc_ns THEN 1 ELSE 0 END) AS n_before,
    SUM(CASE WHEN start_utc_ns >= $date_utc_ns THEN 1 ELSE 0 END) AS n_after
  FROM told GROUP BY server
), lost AS (
  SELECT c.server, l.cause,
    SUM(CASE WHEN c.start_utc_ns < $date_utc_ns THEN l.cost_ms ELSE 0.0 END) AS before_ms,
    SUM(CASE WHEN c.start_utc_ns >= $date_utc_ns THEN l.cost_ms ELSE 0.0 END) AS after_ms
  FROM ledger AS l
  JOIN told AS c ON c.capture_id = l.capture_id AND c.stream = l.stream
  WHERE l.cause NOT IN ('wire', 'handshake', 'client_idle', 'close', 'reset', 'keep_alive', 'capture_gap', 'unknown')
    AND ($cause = '' OR l.cause = $cause)
  GROUP BY c.server, l.cause
)
SELECT lost.server, lost.cause,
  sides.n_before AS connections_before, sides.n_after AS connections_after,
  lost.before_ms / NULLIF(sides.n_before, 0) AS before_ms_each,
  lost.after_ms / NULLIF(sides.n_after, 0) AS after_ms_each,
  lost.after_ms / NULLIF(sides.n_after, 0) - lost.before_ms / NULLIF(sides.n_before, 0) AS change_ms_each
FROM lost
JOIN sides ON sides.server = lost.server
ORDER BY ABS(COALESCE(lost.after_ms / NULLIF(sides.n_after, 0), 0) - COALESCE(lost.before_ms / NULLIF(sides.n_before, 0), 0)) DESC,
  lost.server, lost.cause
LIMIT $limit
