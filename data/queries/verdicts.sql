-- verdicts: number of captures and cost
-- A capture counts once, by its verdict; 'none' (healthy) and client_idle (nobody waited) come last.
SELECT verdict_cause AS cause, verdict_party AS party, COUNT(*) AS captures,
  SUM(verdict_connections) AS connections, SUM(CASE WHEN verdict_cause = 'client_idle' THEN 0 ELSE verdict_cost_ms END) AS lost_ms,
  MIN(first_utc_ns) AS first_utc_ns, MAX(last_utc_ns) AS last_utc_ns
FROM captures
WHERE error IS NULL
GROUP BY verdict_cause, verdict_party
ORDER BY CASE WHEN verdict_cause IN ('none', 'client_idle') THEN 1 ELSE 0 END, lost_ms DESC, captures DESC, cause, party
LIMIT $limit
