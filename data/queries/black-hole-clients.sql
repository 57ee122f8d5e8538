-- clients behind a PMTU black hole: large packets to or from them are dropped
-- of_connections counts all connections between the two.
WITH holes AS (
  SELECT c.client_address, c.server, COUNT(DISTINCT c.capture_id || ':' || c.stream) AS connections,
    SUM(l.cost_ms) AS lost_ms, MIN(l.first_utc_ns) AS first_utc_ns,
    MAX(CASE l.confidence WHEN 'certain' THEN 2 WHEN 'likely' THEN 1 ELSE 0 END) AS sure
  FROM ledger AS l
  JOIN told AS c ON c.capture_id = l.capture_id AND c.stream = l.stream
  WHERE l.cause = 'mtu_black_hole'
  GROUP BY c.client_address, c.server
)
SELECT h.client_address, h.server, h.connections, COUNT(*) AS of_connections, h.lost_ms,
  CASE h.sure WHEN 2 THEN 'certain' WHEN 1 THEN 'likely' ELSE 'ambiguous' END AS confidence,
  h.first_utc_ns
FROM holes AS h
JOIN told AS c ON c.client_address = h.client_address AND c.server = h.server
GROUP BY h.client_address, h.server, h.connections, h.lost_ms, h.sure, h.first_utc_ns
ORDER BY h.lost_ms DESC, h.client_address, h.server
LIMIT $limit
