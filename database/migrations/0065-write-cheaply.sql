-- Written once or more for each terminal of a large release or command. A foreign key asks for and locks a row each time: of a thousand commands
-- it was a quarter of the insert. Devices are deleted at one place, which deletes these too; results with attempts are never deleted.
alter table gateway_outbox drop constraint gateway_outbox_device_id_fkey;
alter table rollout_attempt drop constraint rollout_attempt_result_id_fkey;
-- An attempt is written twice: with room on its page the second time touches no index.
alter table rollout_attempt set (fillfactor = 50);
