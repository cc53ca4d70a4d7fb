import { randomBytes } from 'node:crypto';
import { textTables } from '@mooring/contract/texts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailBox, mailBox, wordsOf } from '../../../test/mail-server.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { openMasterKey } from '../config/open-master-key.ts';
import { rotateMasterKey } from '../config/rotate-master-key.ts';
import type { Channel, MailTemplate } from './compose.ts';
import { mail, secretParams } from './mail.ts';
import { openWords } from './seal-words.ts';
import { mailJobs } from './send-mail.ts';
import { storedSettings } from './settings.ts';

let app: TestApp;
let box: MailBox;

const query = async (text: string, values: unknown[] = []) => (await app.context.pools.owner.query(text, values)).rows;
const set = (type: string, value: unknown) =>
  query('insert into settings_value (type, value) values ($1, $2) on conflict (type) do update set value = excluded.value', [
    type,
    JSON.stringify(value),
  ]);
const server = () => set('mail', { host: '127.0.0.1', port: box.port, security: 'none', fromAddress: 'console@mooring.test' });
const code = (to = 'ann@example.com') =>
  app.context.unscoped((db) =>
    mail(db, {
      to,
      lang: 'en',
      template: 'resetCode',
      params: { account: 'ann', code: '123456', minutes: 10 },
      sealWith: app.context.masterKey,
    }),
  );
const rowOf = (id: number) =>
  app.context.unscoped((db) => db.selectFrom('mail_message').selectAll().where('id', '=', id).executeTakeFirstOrThrow());
const again = async () => {
  await query('update graphile_worker._private_jobs set run_at = now()');
  await app.runJobs();
};
/** How the version before looks for what it is to send, and takes it (0.1.0, send-mail.ts). */
const before = {
  sweep: `select id from mail_message where (state = 'sending' and taken_at < now() - interval '5 minutes')
    or (state = 'waiting' and next_at < now() - interval '2 minutes')`,
  take: `select id from mail_message where state = 'waiting' and next_at <= now() + interval '1 second'`,
  takeAgain: `select id from mail_message where state = 'sending' and taken_at < now() - interval '5 minutes'`,
  resend: `select id from mail_message where state in ('failed', 'kept') and body_text <> ''`,
  jobs: `select t.id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'mail:send'`,
};
const seenByTheVersionBefore = async () => {
  const seen: string[] = [];
  for (const [name, text] of Object.entries(before)) if ((await query(text)).length > 0) seen.push(name);
  return seen;
};

beforeAll(async () => {
  app = await testApp();
  box = await mailBox();
});
afterAll(async () => {
  await box.stop();
  await app.stop();
});
beforeEach(async () => {
  box.arrived.length = 0;
  box.refuse = undefined;
  await query('delete from settings_value');
  await query('delete from mail_message');
  await query('delete from graphile_worker._private_jobs');
  await set('outbound', { allowed: ['127.0.0.1', 'localhost'] });
});

/** Every mail and text message that is declared, with the names that stand in its texts. */
const declared = Object.values(textTables).flatMap((table) =>
  Object.entries(table as Record<string, readonly string[]>).flatMap(([key, texts]) => {
    const [, template, part] = /^mail\.(\w+)\.(body|sms)$/.exec(key) ?? [];
    const names = texts.flatMap((text) => [...text.matchAll(/\{(\w+)/g)].map((found) => found[1] ?? ''));
    return template ? [{ template: template as MailTemplate, channel: (part === 'sms' ? 'sms' : 'email') as Channel, names }] : [];
  }),
);
const secret = declared.filter(({ names }) => names.some((name) => secretParams.some((one) => one === name)));

test.each(secret)('$template by $channel: what it opens stands nowhere in the database', async ({ template, channel, names }) => {
  const values = Object.fromEntries(
    [...new Set(names)].filter((name) => name !== 'brand').map((name) => [name, `S${randomBytes(9).toString('hex')}`]),
  );
  const hidden = Object.entries(values).flatMap(([name, value]) => (secretParams.some((one) => one === name) ? [value] : []));
  expect(hidden.length).toBeGreaterThan(0);
  const id = await app.context.unscoped((db) =>
    mail(db, { to: 'ann@example.com', lang: 'en', template, channel, params: values, sealWith: app.context.masterKey }),
  );
  const tables = await query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  );
  for (const state of ['waiting', 'kept']) {
    if (state === 'kept') await app.runJobs();
    expect((await rowOf(id)).state).toBe(state);
    for (const value of hidden)
      for (const { name } of tables) {
        const found = await query(`select 1 from ${name} t where t::text like $1 or t::text like $2`, [
          `%${value}%`,
          `%${Buffer.from(value).toString('hex')}%`,
        ]);
        expect({ [name]: found.length }).toEqual({ [name]: 0 });
      }
  }
  const opened = openWords(app.context.masterKey, await rowOf(id));
  for (const value of hidden) expect(opened?.text).toContain(value);
});

test('there are such mails, and one without the key to seal it isn’t written', async () => {
  expect(secret.length).toBeGreaterThan(5);
  const given = { to: 'ann@example.com', lang: 'en', template: 'resetCode', params: { account: 'ann', code: '123456', minutes: 10 } };
  await expect(app.context.unscoped((db) => mail(db, given as never))).rejects.toThrow('sealWith');
});

test('a version before that runs beside never takes one, in whatever state it is', async () => {
  const id = await code();
  await query(`update mail_message set created_at = now() - interval '1 hour', sealed_due_at = now() - interval '1 hour'`);
  expect(await seenByTheVersionBefore()).toEqual([]);
  for (const state of ['sending', 'failed', 'kept'])
    expect([
      state,
      await query(`update mail_message set state = $1, sealed_taken_at = now() - interval '1 hour' where id = $2`, [state, id]),
      await seenByTheVersionBefore(),
    ]).toEqual([state, [], []]);
  // Taken by this one, and its process ends in the middle.
  await query(`update mail_message set state = 'waiting', sealed_taken_at = null, next_at = 'infinity'`);
  await server();
  await app.runJobs();
  expect(await rowOf(id)).toMatchObject({ state: 'sent', taken_at: null });
});

test('it goes out whole, is tried again, and taken again where its process ended', async () => {
  await server();
  box.refuse = 451;
  const id = await code();
  await app.runJobs();
  expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(await seenByTheVersionBefore()).toEqual([]);
  box.refuse = undefined;
  await query(`update mail_message set state = 'sending', sealed_taken_at = now() - interval '10 minutes'`);
  await app.context.unscoped((db) => app.context.enqueue(db, 'mail:sweep', {}));
  await app.runJobs();
  await again();
  expect(await rowOf(id)).toMatchObject({ state: 'sent', maybe_twice: true, words_sealed: null });
  expect(box.arrived).toHaveLength(1);
  expect(wordsOf(box.arrived[0]?.raw ?? '')).toContain('123456');
});

test('one that was kept is sent again from the list', async () => {
  const id = await code();
  await app.runJobs();
  await server();
  const admin = await app.person('platformAdmin', app.root, 'manager');
  const { mailCalls } = await import('@mooring/contract/settings/mail-calls');
  const shown = (await admin.call(mailCalls.page, {})).content[0];
  expect(shown).toMatchObject({ id, state: 'kept', allowedActions: ['resend'] });
  await admin.call(mailCalls.resend, { id });
  expect(await seenByTheVersionBefore()).toEqual([]);
  await app.runJobs();
  expect(wordsOf(box.arrived[0]?.raw ?? '')).toContain('123456');
  expect((await admin.call(mailCalls.page, {})).content[0]).toMatchObject({ state: 'sent', allowedActions: [] });
});

test('a replaced master key still opens what waits; with a lost one it fails and says why', async () => {
  const id = await code();
  await rotateMasterKey(app.context, undefined);
  const replaced = await openMasterKey(app.context.pools.owner, app.context.config);
  expect(openWords(replaced, await rowOf(id))?.text).toContain('123456');
  await server();
  const { loadMasterKey } = await import('../config/master-key.ts');
  const lost = { ...app.context, masterKey: loadMasterKey('quite another key, long enough', app.dataDir) };
  const send = mailJobs(lost, storedSettings(lost)).find((one) => one.name === 'mail:send-sealed');
  await send?.run({} as never, { id } as never);
  expect(box.arrived).toEqual([]);
  expect(await rowOf(id)).toMatchObject({ state: 'failed', words_sealed: null });
  expect((await rowOf(id)).error).toBe(
    'sealed with a master key that this server doesn’t have: send a new one from where it was asked for',
  );
});

test('words that were moved to another recipient open nothing', async () => {
  await server();
  const victim = await code('victim@example.com');
  const id = await code('eve@example.com');
  await query('update mail_message set words_sealed = (select words_sealed from mail_message where id = $1) where id = $2', [victim, id]);
  await query(`update mail_message set state = 'kept' where id = $1`, [victim]);
  await app.runJobs();
  expect(box.arrived).toEqual([]);
  expect((await rowOf(id)).state).toBe('failed');
});

test('one that is over before it went out fails instead of arriving without words', async () => {
  const over = await code();
  const [old] =
    await query(`insert into mail_message (channel, recipient, template, lang, subject, body_text, body_html, shown_text, secret, state, dept_path)
    values ('email', 'ann@example.com', 'resetCode', 'en', 'Code', '654321', '<p>654321</p>', '••••••', true, 'waiting', '1.') returning id`);
  await query(`update mail_message set created_at = now() - interval '2 hours'`);
  await app.context.unscoped((db) => app.context.enqueue(db, 'mail:sweep', {}));
  await query(
    `delete from graphile_worker._private_jobs where task_id <> (select id from graphile_worker._private_tasks where identifier = 'mail:sweep')`,
  );
  await app.runJobs();
  await server();
  await app.context.unscoped((db) => app.context.enqueue(db, 'mail:send', { id: old.id }));
  await app.context.unscoped((db) => app.context.enqueue(db, 'mail:send-sealed', { id: over }));
  await app.runJobs();
  expect(box.arrived).toEqual([]);
  for (const id of [over, old.id])
    expect(await rowOf(id)).toMatchObject({
      state: 'failed',
      body_text: '',
      words_sealed: null,
      error: 'what it carries was over before it could be sent',
    });
});

test('one that was written before it was sealed goes out as before', async () => {
  await server();
  const [old] =
    await query(`insert into mail_message (channel, recipient, template, lang, subject, body_text, body_html, shown_text, secret, state, dept_path)
    values ('email', 'ann@example.com', 'resetCode', 'en', 'Code', 'It is 654321', '<p>654321</p>', '••••••', true, 'waiting', '1.') returning id`);
  await app.context.unscoped((db) => app.context.enqueue(db, 'mail:send', { id: old.id }));
  await app.runJobs();
  expect(wordsOf(box.arrived[0]?.raw ?? '')).toContain('654321');
  expect(await rowOf(old.id)).toMatchObject({ state: 'sent', body_text: '', body_html: '' });
});
