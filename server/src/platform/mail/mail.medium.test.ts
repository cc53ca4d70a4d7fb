import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailBox, mailBox, wordsOf } from '../../../test/mail-server.ts';
import { newestMail } from '../../../test/mails.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import type { MailTemplate } from './compose.ts';
import { mail } from './mail.ts';

let app: TestApp;
let box: MailBox;

const set = (type: string, value: unknown) =>
  app.context.unscoped((db) =>
    db
      .insertInto('settings_value')
      .values({ type, value: JSON.stringify(value) })
      .onConflict((on) => on.column('type').doUpdateSet({ value: JSON.stringify(value) }))
      .execute(),
  );
const server = (port: number) => set('mail', { host: '127.0.0.1', port, security: 'none', fromAddress: 'console@mooring.test' });
const write = (
  more: { to?: string; lang?: string; template?: MailTemplate; channel?: 'sms'; params?: Record<string, string | number> } = {},
) =>
  app.context.unscoped((db) =>
    mail(db, {
      to: 'ann@example.com',
      lang: 'en',
      template: 'resetCode',
      params: { account: 'ann', code: '123456', minutes: 10 },
      sealWith: app.context.masterKey,
      ...more,
    }),
  );
const rowOf = (id: number) =>
  app.context.unscoped((db) => db.selectFrom('mail_message').selectAll().where('id', '=', id).executeTakeFirstOrThrow());
/** What waits for later waits no longer. */
const hurry = async () => {
  const client = await app.context.pools.owner.connect();
  await client.query(
    'update mail_message set sealed_due_at = now() where sealed_due_at is not null; update graphile_worker._private_jobs set run_at = now()',
  );
  client.release();
  await app.runJobs();
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
  await app.context.unscoped((db) => db.deleteFrom('settings_value').execute());
  await set('outbound', { allowed: ['127.0.0.1', 'localhost'] });
});

test('without a server a message is kept with its words', async () => {
  const id = await write();
  await app.runJobs();
  expect(await rowOf(id)).toMatchObject({
    state: 'kept',
    attempts: 0,
    recipient: 'ann@example.com',
    subject: 'Mooring: your code to reset the password',
  });
  expect((await newestMail(app, 'ann@example.com'))?.text).toContain('123456');
});

test('what opens something is wiped when that is over, also where it was never sent; other words stay', async () => {
  const write1 = (template: 'resetCode' | 'invite' | 'locked', params: Record<string, string>) =>
    app.context.unscoped((db) => mail(db, { to: 'ann@example.com', lang: 'en', template, params, sealWith: app.context.masterKey }));
  const code = await write1('resetCode', { code: '123456', account: 'ann', minutes: '10' });
  const link = await write1('invite', { by: 'Bo', org: 'Bank', link: 'https://x.example.com/reg?invite=abc', until: 'May' });
  const words = await write1('locked', { account: 'ann', minutes: '15', ip: '::1' });
  await app.runJobs();
  const left = async (hours: number) => {
    await app.context.unscoped((db) =>
      sql`update mail_message set created_at = now() - make_interval(hours => ${hours}) where id in (${code}, ${link}, ${words})`.execute(
        db,
      ),
    );
    await app.context.unscoped((db) => app.context.enqueue(db, 'mail:sweep', {}));
    await app.runJobs();
    return Promise.all(
      [code, link, words].map(async (id) => {
        const { body_text, words_sealed } = await rowOf(id);
        return body_text !== '' || words_sealed !== null;
      }),
    );
  };
  expect(await left(0)).toEqual([true, true, true]);
  expect(await left(2)).toEqual([false, true, true]);
  expect(await left(7 * 24 + 1)).toEqual([false, false, true]);
});

test('goes out in the person’s language with the brand; a code is wiped when it was sent', async () => {
  await server(box.port);
  await set('branding', { systemName: '港湾 Bank' });
  const id = await write({ lang: 'zh-CN' });
  await app.runJobs();
  expect(box.arrived).toHaveLength(1);
  expect(box.arrived[0]).toMatchObject({ from: 'console@mooring.test', to: ['ann@example.com'] });
  const words = wordsOf(box.arrived[0]?.raw ?? '');
  expect(words).toContain('港湾 Bank');
  expect(words).toContain('重置账号 ann 的密码');
  expect(words).toContain('123456');
  expect(await rowOf(id)).toMatchObject({ state: 'sent', attempts: 1, words_sealed: null, body_text: '', maybe_twice: false });
});

test('a server that is away is tried again, and the message arrives once', async () => {
  const away = await mailBox();
  await away.stop();
  await server(away.port);
  const id = await write();
  await app.runJobs();
  expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 1 });
  expect((await rowOf(id)).error).toMatch(/ECONNREFUSED/);
  expect((await rowOf(id)).sealed_due_at?.getTime()).toBeGreaterThan(Date.now() + 10_000);
  const other = await write({ to: 'bob@example.com' });
  await app.runJobs();
  expect(await rowOf(other)).toMatchObject({ state: 'waiting', attempts: 0 });
  const back = await mailBox(away.port);
  app.clock.now = new Date(app.clock.now.getTime() + 31_000);
  await hurry();
  await hurry();
  expect(back.arrived.map((one) => one.to[0]).sort()).toEqual(['ann@example.com', 'bob@example.com']);
  expect(await rowOf(id)).toMatchObject({ state: 'sent', attempts: 2, error: null });
  expect(await rowOf(other)).toMatchObject({ state: 'sent', attempts: 1 });
  await back.stop();
});

test('a passing refusal is tried again, a final one fails with its reason', async () => {
  await server(box.port);
  box.refuse = 451;
  const id = await write();
  await app.runJobs();
  expect((await rowOf(id)).state).toBe('waiting');
  box.refuse = 550;
  await hurry();
  expect(await rowOf(id)).toMatchObject({ state: 'failed', words_sealed: null });
  expect((await rowOf(id)).error).toBe('the mail server refused the message (EMESSAGE 550)');
});

test('a message whose process ended in the middle is sent again and says so; the same id lets mailboxes show it once', async () => {
  await server(box.port);
  const id = await write();
  await app.context.unscoped((db) =>
    db.updateTable('mail_message').set({ state: 'sending', sealed_taken_at: new Date() }).where('id', '=', id).execute(),
  );
  await app.runJobs();
  expect(box.arrived).toHaveLength(0);
  await app.context.unscoped((db) =>
    db
      .updateTable('mail_message')
      .set({ sealed_taken_at: new Date(Date.now() - 600_000) })
      .where('id', '=', id)
      .execute(),
  );
  await app.context.unscoped((db) => app.context.enqueue(db, 'mail:sweep', {}));
  await app.runJobs();
  await app.runJobs();
  expect(box.arrived).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({ state: 'sent', maybe_twice: true });
});

test('a rolled back change sends nothing', async () => {
  await server(box.port);
  await expect(
    app.context.unscoped(async (db) => {
      await mail(db, { to: 'ann@example.com', lang: 'en', template: 'test' });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await app.runJobs();
  expect(box.arrived).toHaveLength(0);
});

test('line breaks, lists and markup in names and addresses start no header, no second recipient and no element', async () => {
  await server(box.port);
  await set('branding', { systemName: 'Bank\r\nBcc: eve@example.com' });
  await write({
    to: 'a,eve@example.com',
    template: 'resetCode',
    params: { account: 'x\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>', code: '654321', minutes: 10 },
  });
  await app.runJobs();
  const [one] = box.arrived;
  expect(one?.to).toHaveLength(1);
  const head = one?.raw.split('\r\n\r\n')[0] ?? '';
  expect(head).not.toMatch(/^bcc:/im);
  const html = wordsOf(one?.raw ?? '');
  expect(html).toContain('&lt;script&gt;');
});

test('a text message goes to the hook, signed; without one it is kept', async () => {
  const got: { body: string; headers: Record<string, unknown> }[] = [];
  const hook = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      got.push({ body, headers: request.headers });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const sms = () =>
    write({ to: '+49 170 1', channel: 'sms', template: 'bindCode', params: { account: 'ann', code: '111222', minutes: 10 } });
  const kept = await sms();
  await app.runJobs();
  expect((await rowOf(kept)).state).toBe('kept');
  const secret = app.context.masterKey.seal('setting', Buffer.from('hush')).toString('base64');
  await set('sms', { url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/sms`, secret });
  const id = await sms();
  await app.runJobs();
  expect((await rowOf(id)).state).toBe('sent');
  const { body, headers } = got[0] ?? { body: '', headers: {} };
  expect(JSON.parse(body)).toEqual({ to: '+49 170 1', text: 'Mooring: your verification code is 111222. It’s valid for 10 minutes.' });
  const signed = createHmac('sha256', 'hush').update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signed}`);
  await new Promise((resolve) => hook.close(resolve));
});

test('what opens something is read by its recipient alone: the list masks it for everybody', async () => {
  await write();
  await app.runJobs();
  const newest = async (role: string) => (await (await app.person(role, app.root, 'manager')).call(mailCalls.page, {})).content[0];
  for (const role of ['platformAdmin', 'auditor']) {
    expect((await newest(role))?.text).toContain('••••••');
    expect((await newest(role))?.text).not.toContain('123456');
  }
});
