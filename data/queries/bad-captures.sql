-- unreliable captures: unreadable, truncated, with frames missing
-- Unreadable ones first. A snap length, receive offload, or a filter that matched nothing alone do not count.
SELECT CASE WHEN error IS NULL THEN 'doubtful' ELSE 'unreadable' END AS how, quality_facts, frames,
  COALESCE(error, quality) AS what, path
FROM captures
WHERE error IS NOT NULL OR quality_facts > CASE WHEN quality LIKE '%short_snaplen=%' THEN 1 ELSE 0 END
  + CASE WHEN quality LIKE '%offload=%' THEN 1 ELSE 0 END
  + CASE WHEN quality LIKE '%filtered_out=%' THEN 1 ELSE 0 END
ORDER BY CASE WHEN error IS NULL THEN 1 ELSE 0 END, quality_facts DESC, path
LIMIT $limit
