-- Sums of `call_counts` by hour and day over all outcomes and durations: one row instead of dozens.
CREATE TABLE call_sums (
  dimension TEXT NOT NULL,
  step INTEGER NOT NULL,
  start BIGINT NOT NULL,
  name TEXT NOT NULL,
  calls BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  PRIMARY KEY (dimension, step, start, name)
);
INSERT INTO call_sums (dimension, step, start, name, calls, errors)
SELECT dimension, step, start, name, sum(calls), sum(CASE WHEN code = 'OK' THEN 0 ELSE calls END)
FROM call_counts WHERE dimension IN ('all', 'key', 'toolkit', 'action') AND step IN (3600, 86400)
GROUP BY dimension, step, start, name;
