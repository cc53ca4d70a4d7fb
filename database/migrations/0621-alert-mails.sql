-- Mails to addresses outside that an organisation's rules have sent, by hour.
create table alert_mail_hour (
  dept_path text collate "C" not null,
  hour timestamptz not null,
  n integer not null,
  primary key (dept_path, hour)
);
call own_by_path('alert_mail_hour');
