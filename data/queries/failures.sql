-- failures: what broke, by kind, culprit and server
-- Each failure is one connection: a request killed, a connection refused, a peer that fell silent.
WITH broken AS (
  SELECT f.*, ROW_NUMBER() OVER (PARTITION BY f.kind, COALESCE(c.told_by, f.capture_id || ':' || f.stream, f.capture_id || '/' || f.failure) ORDER BY c.place) AS nth
  FROM failures AS f
  LEFT JOIN copies AS c ON c.capture_id = f.capture_id AND c.stream = f.stream
)
SELECT kind, who, server, seen_as, COUNT(*) AS failures, COUNT(DISTINCT capture_id) AS captures,
  MIN(time_utc_ns) AS first_utc_ns, MAX(time_utc_ns) AS last_utc_ns, MIN(after_ms) AS least_after_ms, MAX(after_ms) AS most_after_ms
FROM broken
WHERE nth = 1
GROUP BY kind, who, server, seen_as
ORDER BY failures DESC, kind, who, server
LIMIT $limit
