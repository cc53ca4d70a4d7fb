-- A new installation lets no stranger register. One that has people keeps what it did so far.
insert into settings_value (type, value)
select 'registration', '{"open": true, "oneDeptId": null}'
where exists (select from account_user)
on conflict (type) do nothing;
