-- Last connection of each toolkit. Not a column of `toolkits`: it is written often, and is not a change of the catalogue.
CREATE TABLE toolkit_sightings (
  toolkit_id TEXT NOT NULL PRIMARY KEY,
  last_seen_at BIGINT NOT NULL
);
INSERT INTO toolkit_sightings (toolkit_id, last_seen_at)
SELECT id, last_seen_at FROM (
  SELECT id, (
    SELECT max(ended_at) FROM invocations
    WHERE action >= toolkits.id || '__' AND action < toolkits.id || '_`' AND code = 'OK'
  ) AS last_seen_at
  FROM toolkits
) AS called
WHERE last_seen_at IS NOT NULL;
