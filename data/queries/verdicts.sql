-- verdicts: number of captures and cost
-- A capture counts once, by its verdict, a connection in the capture that tells it; 'none' (healthy) and client_idle (nobody waited) come last.
WITH again AS (
  SELECT l.capture_id, l.cause, l.party, COUNT(DISTINCT l.stream) AS connections, SUM(l.cost_ms) AS cost_ms
  FROM ledger AS l
  JOIN copies AS c ON c.capture_id = l.capture_id AND c.stream = l.stream AND c.place > 1
  GROUP BY l.capture_id, l.cause, l.party
)
SELECT verdict_cause AS cause, verdict_party AS party, COUNT(*) AS captures,
  SUM(verdict_connections - COALESCE(again.connections, 0)) AS connections,
  SUM(CASE WHEN verdict_cause = 'client_idle' THEN 0 ELSE verdict_cost_ms - COALESCE(again.cost_ms, 0) END) AS lost_ms,
  MIN(first_utc_ns) AS first_utc_ns, MAX(last_utc_ns) AS last_utc_ns
FROM captures
LEFT JOIN again ON again.capture_id = captures.capture_id AND again.cause = verdict_cause AND again.party = verdict_party
WHERE error IS NULL
GROUP BY verdict_cause, verdict_party
ORDER BY CASE WHEN verdict_cause IN ('none', 'client_idle') THEN 1 ELSE 0 END, lost_ms DESC, captures DESC, cause, party
LIMIT $limit
