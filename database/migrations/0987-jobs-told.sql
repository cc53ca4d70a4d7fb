-- A run that ended with its server is told like one that failed from now on: those of before are old news.
update job_schedule j set told_run = r.last
  from (select name, max(id) as last from job_run where outcome = 'interrupted' group by name) r where r.name = j.name and r.last > j.told_run;
