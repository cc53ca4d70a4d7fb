-- Each few seconds those are looked for that were put off while their terminal came: of a release to a million absent terminals all were read.
create index rollout_result_young on rollout_result (changed_at) where state = '1' and next_at = 'infinity';
