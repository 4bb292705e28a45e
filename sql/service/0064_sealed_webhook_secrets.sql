-- Secrets may be sealed with a key that is not in the database.
alter table webhook_secret add column is_sealed boolean not null default false;
comment on column webhook_secret.secret is 'The key of the HMAC, which cannot be hashed: we sign with it. Sealed: nonce (12 bytes), tag (16) and AES-256-GCM ciphertext, bound to the client id.';
comment on column webhook_secret.is_sealed is 'Was it sealed with a key of TALHOUSE_WEBHOOK_KEYS?';
