-- Whoever signs in has their own keys looked up with almost every request.
CREATE INDEX keys_owner ON keys (owner_id);
