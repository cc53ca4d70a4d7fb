-- With what it was tried: browser or program, as it named itself last.
alter table audit_refusal add column device text not null default '';
