-- How many results did not fit the declared result, by action, version of its shape and place. No values of results.
CREATE TABLE result_misfits (
  action TEXT NOT NULL,
  version TEXT NOT NULL,
  path TEXT NOT NULL,
  results BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (action, version, path)
);
CREATE INDEX result_misfits_last_at ON result_misfits (last_at);
