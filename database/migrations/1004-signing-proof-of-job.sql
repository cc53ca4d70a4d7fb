-- The proof that a request was made under: another one by now, of the same key, says another line.
alter table signing_job add column proof_sha256 text;
update signing_job j set proof_sha256 = encode(sha256(k.proof), 'hex') from signing_key k where k.id = j.key_id and j.rotation and k.proof is not null;
