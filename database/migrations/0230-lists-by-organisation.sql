-- Enrolment codes and delegations of one organisation, newest first, are found by the organisation and not among all of the scope.
create index device_enrol_code_of on device_enrol_code (dept_id, created_at, id);
create index org_trust_giver on org_trust (dept_id);
create index org_trust_receiver on org_trust (trustee_id);
