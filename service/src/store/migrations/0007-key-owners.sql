-- Almost every request of a signed-in person looks up that person's keys.
CREATE INDEX keys_owner ON keys (owner_id);
