-- time lost by listener and cause, costliest first
-- share: of the lifetimes of all connections to that listener.
WITH lives AS (
  SELECT server, SUM(duration_ms) AS lived_ms FROM told GROUP BY server
), lost AS (
  SELECT c.server, l.cause, l.party,
    SUM(l.cost_ms) AS lost_ms,
    COUNT(DISTINCT c.capture_id || ':' || c.stream) AS connections,
    COUNT(DISTINCT c.client_address) AS clients,
    COUNT(DISTINCT c.capture_id) AS captures,
    MIN(l.first_utc_ns) AS first_utc_ns
  FROM ledger AS l
  JOIN told AS c ON c.capture_id = l.capture_id AND c.stream = l.stream
  WHERE l.cause NOT IN ('wire', 'handshake', 'client_idle', 'close', 'reset', 'keep_alive', 'capture_gap', 'unknown')
    AND ($cause = '' OR l.cause = $cause)
  GROUP BY c.server, l.cause, l.party
)
SELECT lost.server, lost.cause, lost.party, lost.lost_ms, lost.lost_ms / lives.lived_ms AS share,
  lost.connections, lost.clients, lost.captures, lost.first_utc_ns
FROM lost
JOIN lives ON lives.server = lost.server
ORDER BY lost_ms DESC, lost.server, lost.cause, lost.party
LIMIT $limit
