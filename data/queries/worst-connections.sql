-- connections that lost most, with their main cause
-- Details: tcpwhy explain -s STREAM PATH. Idle clients lost nothing: --cause client_idle lists them.
WITH others AS (
  SELECT copies.told_by, GROUP_CONCAT(captures.path, ', ') AS paths
  FROM copies
  JOIN captures ON captures.capture_id = copies.capture_id
  WHERE copies.place > 1
  GROUP BY copies.told_by
)
SELECT c.client, c.server, c.start_utc_ns, c.duration_ms,
  c.verdict_cause AS cause, c.verdict_party AS party, c.verdict_cost_ms AS lost_ms, c.verdict_share AS share,
  c.verdict_confidence AS confidence, c.stream, captures.path,
  others.paths AS also_in
FROM told AS c
JOIN captures ON captures.capture_id = c.capture_id
LEFT JOIN others ON others.told_by = c.capture_id || ':' || c.stream
WHERE c.verdict_cause NOT IN ('none', CASE WHEN $cause = '' THEN 'client_idle' ELSE 'none' END)
  AND ($cause = '' OR c.verdict_cause = $cause)
ORDER BY c.verdict_cost_ms DESC, captures.path, c.stream
LIMIT $limit
