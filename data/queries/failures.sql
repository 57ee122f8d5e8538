-- failures: what broke, by kind, culprit and server
-- Each failure is one connection: a request killed, a connection refused, a peer that fell silent.
SELECT kind, who, server, seen_as, COUNT(*) AS failures, COUNT(DISTINCT capture_id) AS captures,
  MIN(time_utc_ns) AS first_utc_ns, MAX(time_utc_ns) AS last_utc_ns, MIN(after_ms) AS least_after_ms, MAX(after_ms) AS most_after_ms
FROM failures
GROUP BY kind, who, server, seen_as
ORDER BY failures DESC, kind, who, server
LIMIT $limit
