-- What the file of a package says of itself (product, version, build): read when it is added.
alter table rollout_package add column carried jsonb;
