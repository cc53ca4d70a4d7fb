-- The review of a version of an app is one more approval (type 4 beside the kinds of releases; docs/adr/0063).
--
-- What a server of the version before does with these rows: its lists, counts and pages name the types that they are about, and its limits need a rule, of
-- which there is none for type 4, so all of these pass them by; it reviews versions by their own columns, as before, and is never given the job by which
-- reviewers are asked (`approval:askOthers`). Its hourly reminder and `askAgain` name no type: of a version that has waited for two days they remind whoever
-- approves releases for the market, with a link that opens nothing, and by which nothing can be decided; where one of these is away with a delegate, that
-- reminder fails until this version runs again. What it hands in or decides on a version it doesn't write here: the next server finds an approval that
-- doesn't say what the version says, forgets it, hands in what waits anew, and asks (`auditOf` in server/src/modules/app/review-rows.ts, and the job
-- `app:followReviews`).
alter table approval_audit
  drop constraint approval_audit_task_type_check,
  add constraint approval_audit_task_type_check check (task_type in ('1', '2', '3', '4'));

-- Only what waits now: all other versions get theirs when they are next handed in. Whoever reviews was asked when it was submitted.
with waiting as (
  select v.*, coalesce(v.listing -> 'en' ->> 'name', v.package_name) || ' ' || coalesce(nullif(v.version_name, ''), v.version_code::text) as title
  from app_version v where v.review_state = '1' and v.deleted_at is null and v.content_hash <> ''
), audit as (
  insert into approval_audit (task_type, task_class, task_id, name, step, step_at, asked_at, content_hash, author_id, author_name, dept_id, dept_path, created_at)
  select '4', '1', id, title, '33', coalesce(submitted_at, now()), coalesce(submitted_at, now()), content_hash, coalesce(submitted_by_id, 0), submitted_by, dept_id, dept_path,
    coalesce(submitted_at, now())
  from waiting returning *
), application as (
  insert into approval_application (audit_id, stage, content_hash, content, applied_by, applied_at, dept_path)
  select a.id, 3, a.content_hash,
    jsonb_build_object('name', w.title, 'sha256', w.sha256, 'listing', w.listing, 'screenshots', to_jsonb(w.screenshots), 'channel', w.channel, 'scope', w.scope),
    a.author_id, a.step_at, a.dept_path
  from audit a join waiting w on w.id = a.task_id
)
insert into approval_record (audit_id, event, step, to_step, content_hash, actor_id, actor_name, actor_path, at, dept_path)
select id, 'apply', '30', '33', content_hash, author_id, author_name, dept_path, step_at, dept_path from audit;
