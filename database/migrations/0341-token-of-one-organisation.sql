-- A token that acts for one organisation alone, whatever its person may do elsewhere: a screen on a wall shows that one's figures.
alter table account_api_token add column only_dept_id bigint references org_dept(id);
