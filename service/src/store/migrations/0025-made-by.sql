-- The program that made a call: `program` for one of the model's provider, `run_…` for a run of code. Null: the agent itself.
ALTER TABLE invocations ADD COLUMN made_by TEXT;
