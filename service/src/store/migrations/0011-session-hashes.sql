-- The column `token` holds the SHA-256 of a session's token from now on. SQL of both engines cannot hash the stored ones: these sessions end.
DELETE FROM sessions;

-- A person has one login of each kind, and a login belongs to one person. The first one stays.
DELETE FROM logins WHERE EXISTS (
  SELECT 1 FROM logins AS earlier
  WHERE earlier.provider_id = logins.provider_id
    AND (earlier.person_id = logins.person_id OR earlier.account_id = logins.account_id)
    AND (earlier.created_at < logins.created_at OR (earlier.created_at = logins.created_at AND earlier.id < logins.id))
);
DROP INDEX logins_person;
CREATE UNIQUE INDEX logins_person ON logins (person_id, provider_id);
CREATE UNIQUE INDEX logins_account ON logins (provider_id, account_id);

-- An OpenID subject is unique only for its issuer. The first start with a provider adds its issuer to these.
UPDATE logins SET provider_id = 'oidc-without-issuer' WHERE provider_id = 'oidc';
