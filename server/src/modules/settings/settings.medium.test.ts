import { loginCalls } from '@mooring/contract/auth/calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { PAGE_SIZE_MAX } from '@mooring/contract/kit/page';
import { settingCalls } from '@mooring/contract/settings/calls';
import { dictCalls, dictFindCalls } from '@mooring/contract/settings/dict-calls';
import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { type SettingType, settingKinds } from '@mooring/contract/settings/kinds';
import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startObjectStore } from '../../../test/object-store.ts';
import { sealFor } from '../../../test/seal.ts';
import { setMailServer } from '../../../test/set-mail-server.ts';
import { signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import type { Db } from '../../platform/context.ts';
import { openSecret, readSetting } from '../../platform/settings.ts';
import { setRoles } from '../access/api.ts';
import { direct } from '../file/upload.factory.ts';
import { TESTS_AN_HOUR } from './out-mails.ts';

let app: TestApp;
let admin: Client;
let manager: Client;
let nobody: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  manager = await app.person('orgManager', await app.dept('Bank'), 'manager');
  nobody = clientOf(app.http, '', 0, 'manager', 0);
});
afterAll(() => app.stop());

const branding = (more: object = {}) => ({
  systemName: 'Harbour',
  companyName: 'Harbour Bank',
  systemLogo: '',
  companyAddress: '',
  loginPageImg: '',
  productList: [],
  relationPageList: [],
  ...more,
});

test('a new installation has the defaults, and empty branding falls back to ours', async () => {
  expect(await nobody.call(settingCalls.pageSetting)).toMatchObject({ systemName: 'Mooring', systemLogo: null, productList: [] });
  const found = await admin.call(systemSettingCalls.findByCriteria, {});
  expect(found.map((one) => one.type)).toEqual(Object.keys(settingKinds));
  expect(found.find((one) => one.type === 'retention')?.value).toEqual({
    changesMonths: 24,
    eventsMonths: 12,
    alarmsMonths: 12,
    auditMonths: 84,
    exportDays: 7,
    healthDays: 14,
    trackDays: 14,
    logDays: 30,
  });
});

test('branding with a picture is shown to people who have not signed in, and only the pictures in use are', async () => {
  const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#0a6a74' } })
    .png()
    .toBuffer();
  const { body } = await direct(app.http, admin, { type: '1', name: 'logo.png', bytes });
  const systemLogo = body?.sha256 ?? '';
  await admin.call(systemSettingCalls.branding, branding({ systemLogo }));
  const shown = await nobody.call(settingCalls.pageSetting);
  expect(shown).toMatchObject({ systemName: 'Harbour', companyName: 'Harbour Bank' });
  const picture = await app.http.inject({ url: `/ops${shown.systemLogo}` });
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/png']);
  expect(picture.headers['cache-control']).toContain('immutable');
  await admin.call(fileCalls.delete, { id: body?.id ?? 0 });
  await app.runJobs();
  expect((await app.http.inject({ url: `/ops${shown.systemLogo}` })).statusCode).toBe(200);
  await admin.call(systemSettingCalls.branding, branding());
  expect(JSON.parse((await app.http.inject({ url: `/ops${shown.systemLogo}` })).body).code).toBe(404);
  // What is replaced is kept no longer, whoever deletes nothing.
  const again = await direct(app.http, admin, { type: '1', name: 'logo.png', bytes });
  await admin.call(systemSettingCalls.branding, branding({ systemLogo: again.body?.sha256 ?? '' }));
  await admin.call(systemSettingCalls.branding, branding());
  await app.runJobs();
  const named = (db: Db) =>
    db
      .selectFrom('file_file')
      .select('sha256')
      .where('id', '=', again.body?.id ?? 0);
  // Somebody may have chosen the same picture a moment ago, in a form that is open still.
  expect(await app.context.unscoped((db) => named(db).execute())).toHaveLength(1);
  const old = new Date(app.clock.now.getTime() - 25 * 3_600_000);
  await app.context.unscoped((db) =>
    db
      .updateTable('file_file')
      .set({ created_at: old })
      .where('id', '=', again.body?.id ?? 0)
      .execute(),
  );
  await app.context.pools.owner.query('update graphile_worker._private_jobs set run_at = now()');
  await app.runJobs();
  expect(await app.context.unscoped((db) => named(db).execute())).toEqual([]);
});

test('a picture that nobody uploaded, and a link that is none, are refused and nothing is stored', async () => {
  const before = await nobody.call(settingCalls.pageSetting);
  expect((await admin.send(systemSettingCalls.branding, branding({ loginPageImg: 'a'.repeat(64) }))).body?.fault).toBe('PICTURE_UNKNOWN');
  const wrong = await admin.send(
    systemSettingCalls.branding,
    branding({ relationPageList: [{ icon: '', abbr: 'x', description: '', link: 'javascript:alert(1)' }] }),
  );
  expect([wrong.code, Object.keys(wrong.body?.fields ?? {})]).toEqual([400, ['relationPageList.0.link']]);
  expect(await nobody.call(settingCalls.pageSetting)).toEqual(before);
});

test('a secret is sealed at rest, never sent back, kept when it is left out and forgotten when it is emptied', async () => {
  const server = {
    host: 'mail.example.com',
    port: 587,
    security: 'starttls' as const,
    user: 'u',
    fromName: '',
    fromAddress: 'a@example.com',
  };
  await admin.call(systemSettingCalls.mail, { ...server, password: (await sealFor(nobody, 'setting', 'Top$ecret')) as never });
  const [shown] = await admin.call(systemSettingCalls.findByCriteria, { criteria: { type: 'mail' } });
  expect(shown).toMatchObject({ secrets: ['password'] });
  expect(JSON.stringify(shown)).not.toContain('Top$ecret');
  const stored = async () => app.context.unscoped((db) => readSetting(db, 'mail'));
  expect(JSON.stringify(await stored())).not.toContain('Top$ecret');
  await admin.call(systemSettingCalls.mail, { ...server, fromName: 'Desk' });
  const kept = await stored();
  expect([kept.fromName, openSecret(app.context.masterKey, kept.password)]).toEqual(['Desk', 'Top$ecret']);
  const log = await app.context.unscoped((db) =>
    db.selectFrom('audit_entry').selectAll().where('call', '=', '/sysSetting/mail/save').execute(),
  );
  expect(log.length).toBeGreaterThan(0);
  expect(JSON.stringify(log)).not.toContain('Top$ecret');
});

test('the project fields reach the console', async () => {
  await admin.call(systemSettingCalls.project, {
    supportWebUrl: 'https://help.example.com',
    afterSalesUrl: '',
    projectKey: 'k',
    pageId: '7',
    mapsKey: 'of a map',
  });
  expect(await manager.call(settingCalls.projectConfig)).toMatchObject({
    supportWebUrl: 'https://help.example.com',
    afterSalesUrl: null,
    projectKey: 'k',
    pageId: '7',
  });
  expect(await nobody.call(settingCalls.supportConfig)).toEqual({ supportWebPath: 'https://help.example.com' });
  // A system setting in the specification, and no field of the project configuration: for programs that may read settings.
  expect(await manager.call(settingCalls.projectConfig)).not.toHaveProperty('mapsKey');
  const [read] = await admin.call(systemSettingCalls.findByCriteria, { criteria: { type: 'project' } });
  expect(read?.value).toMatchObject({ mapsKey: 'of a map' });
});

test('the file source is what the server was started with, said the same to the console and to who administers it', async () => {
  expect((await manager.call(settingCalls.projectConfig)).fileSource).toBe('disk');
  expect(await admin.call(systemSettingCalls.storage)).toMatchObject({ source: 'disk', place: app.context.config.DATA_DIR });
  const objects = await startObjectStore();
  const other = await testApp({ env: objects.env });
  try {
    const person = await other.person('platformAdmin', other.root, 'manager');
    expect((await person.call(settingCalls.projectConfig)).fileSource).toBe('s3');
    expect(await person.call(systemSettingCalls.storage)).toMatchObject({
      source: 's3',
      place: `${objects.place.endpoint}/mooring`,
      freeBytes: null,
    });
  } finally {
    await other.stop();
    await objects.stop();
  }
});

test('an organisation’s manager changes nothing of the installation', async () => {
  for (const call of [systemSettingCalls.findByCriteria, dictCalls.page, downloadDomainCalls.page])
    expect((await manager.send(call)).code).toBe(403);
  expect((await manager.send(systemSettingCalls.branding, branding())).code).toBe(403);
});

test('a list of one’s own: labels in the person’s language, English where there is none, nothing that is switched off', async () => {
  const dict = await admin.call(dictCalls.add, { code: 'fault.kind', name: 'Faults' });
  const entry = (value: string, labels: Record<string, string>, more = {}) =>
    admin.call(dictCalls.entryAdd, { dictId: dict.id, value, labels, ...more });
  await entry('printer', { en: 'Printer', 'zh-CN': '打印机' }, { sort: 2 });
  const off = await entry('screen', { en: 'Screen' }, { sort: 1 });
  const asked = async (lang: string) =>
    (
      (await manager.send(dictFindCalls.findByCriteria, { criteria: { type: 'fault.kind' } }, { headers: { 'accept-language': lang } }))
        .body as unknown as { label: string }[]
    ).map((one) => one.label);
  expect(await asked('en')).toEqual(['Screen', 'Printer']);
  expect(await asked('zh-CN')).toEqual(['Screen', '打印机']);
  await admin.call(dictCalls.entryUpdate, { id: off.id, value: 'screen', labels: { en: 'Screen' }, enabled: false });
  expect(await asked('en')).toEqual(['Printer']);
  expect((await admin.send(dictCalls.entryAdd, { dictId: dict.id, value: 'printer', labels: { en: 'P' } })).body?.fault).toBe(
    'DICT_ENTRY_TAKEN',
  );
  expect((await admin.send(dictCalls.entryAdd, { dictId: dict.id, value: 'x', labels: { de: 'x' } })).body?.fields).toHaveProperty(
    'labels',
  );
  expect((await admin.send(dictCalls.add, { code: 'fault.kind', name: 'x' })).body?.fault).toBe('DICT_TAKEN');
  await admin.call(dictCalls.delete, { id: dict.id });
  expect(await asked('en')).toEqual([]);
});

test('what the product needs is locked, and its labels follow the language', async () => {
  const { content } = await admin.call(dictCalls.page, { criteria: { text: 'networkKind' } });
  const id = content[0]?.id ?? 0;
  expect((await admin.send(dictCalls.delete, { id })).body?.fault).toBe('DICT_LOCKED');
  const [first] = (await admin.call(dictCalls.entries, { criteria: { dictId: id } })).content;
  expect(first).toMatchObject({ value: 'wifi', system: true, allowedActions: [] });
  expect((await admin.send(dictCalls.entryDelete, { id: first?.id })).body?.fault).toBe('DICT_LOCKED');
  // Nothing would ever offer a further one.
  expect(content[0]?.allowedActions).toEqual([]);
  expect((await admin.send(dictCalls.entryAdd, { dictId: id, value: 'pigeon', labels: { en: 'Pigeon' } })).body?.fault).toBe('DICT_LOCKED');
  const [industries] = (await admin.call(dictCalls.page, { criteria: { text: 'industry' } })).content;
  expect(industries?.allowedActions).toEqual(['addEntry']);
  const labels = await manager.send(
    dictFindCalls.findByCriteria,
    { criteria: { type: 'productCategory' } },
    { headers: { 'accept-language': 'zh-CN' } },
  );
  expect(JSON.stringify(labels.body)).toContain('智能POS');
});

test('a list that comes with the product is named, and found, in the reader’s language', async () => {
  const asked = async (text: string) =>
    JSON.stringify((await admin.send(dictCalls.page, { criteria: { text } }, { headers: { 'accept-language': 'zh-CN' } })).body);
  expect(await asked('networkKind')).toContain('"name":"网络类型","remark":"终端的联网方式"');
  expect(await asked('行业')).toContain('"code":"industry"');
  expect(await asked('无此字典')).toContain('"content":[]');
});

test('a download domain is an origin, once for a department', async () => {
  const domain = { name: 'Near', url: 'https://files.example.com', deptId: 2 };
  const made = await admin.call(downloadDomainCalls.add, domain);
  expect((await admin.send(downloadDomainCalls.add, domain)).body?.fault).toBe('DOMAIN_TAKEN');
  for (const url of ['ftp://a.example.com', 'https://a.example.com/path', 'javascript:alert(1)'])
    expect((await admin.send(downloadDomainCalls.add, { ...domain, url })).code).toBe(400);
  expect(await admin.call(downloadDomainCalls.update, { ...domain, id: made.id, enabled: false })).toMatchObject({ enabled: false });
  await admin.call(downloadDomainCalls.delete, { id: made.id });
  expect((await admin.send(downloadDomainCalls.delete, { id: made.id })).code).toBe(404);
});

test.each([
  ['mail', { host: '8.8.8.8', port: 587, security: 'tls', user: 'u', fromAddress: '', fromName: '' }, 'password', { host: '9.9.9.9' }],
  ['sms', { url: 'https://8.8.8.8/' }, 'secret', { url: 'https://9.9.9.9/' }],
  ['singleSignOn', { issuer: 'https://a.example.com', clientId: 'x' }, 'clientSecret', { issuer: 'https://b.example.com' }],
] as const)('the secret of %s is sent to no other place than the one it was set for', async (type, value, field, elsewhere) => {
  const save = (more: object) => admin.send(systemSettingCalls[type], { ...value, ...more });
  const secret = await sealFor(nobody, 'setting', 'Top$ecret');
  expect((await save({ [field]: secret })).code).toBe(200);
  const refused = await save(elsewhere);
  expect(refused.body).toMatchObject({ fault: 'SECRET_AGAIN', fields: { [field]: { key: 'fault.SECRET_AGAIN' } } });
  expect((await save({})).code).toBe(200);
  expect((await save({ ...elsewhere, [field]: await sealFor(nobody, 'setting', 'Other') })).code).toBe(200);
});

test('what holds for the whole installation is saved by its administrators alone, whatever a line’s people may', async () => {
  const people = [
    await app.person('platformAdmin', { id: 2, path: '1.2.' }, 'manager'),
    await app.context.unscoped(async (db) => {
      const { id } = await db
        .insertInto('access_role')
        .values({ name: 'Settings', type: '1', platforms: ['manager'], menus: ['settings:system:update'], dept_id: 2, dept_path: '1.2.' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const person = await app.person('orgMember', { id: 2, path: '1.2.' }, 'manager');
      await setRoles(db, person.userId, [id], { by: null, way: 'system' });
      return person;
    }),
  ];
  const saves = Object.values(systemSettingCalls).filter((call) => !call.reads);
  expect(saves.length).toBeGreaterThan(12);
  for (const person of people)
    for (const call of saves) {
      const type = call.path.split('/')[2] as SettingType;
      const [shown] = await admin.call(systemSettingCalls.findByCriteria, { criteria: { type } });
      // A test is of what is saved.
      const answer = await person.send(call, call.path.endsWith('/test') ? {} : shown?.value);
      expect([call.path, answer.body?.fault]).toEqual([call.path, 'SETTING_ADMINISTRATOR']);
    }
});

test('without a mail server nothing says that it was sent: the door knows, a test is refused, and nothing is offered to be sent again', async () => {
  await app.context.unscoped((db) => sql`delete from settings_value where type in ('mail', 'sms')`.execute(db));
  const signInClient = signInClientOf(app);
  const { email } = await signInClient.person();
  const sends = async () => (await signInClient.nobody.call(settingCalls.pageSetting)).sends;
  expect(await sends()).toEqual({ email: false, sms: false });
  expect((await admin.send(mailCalls.test, { to: email })).body?.fault).toBe('SEND_UNSET');
  expect((await admin.send(mailCalls.testText, { to: '+491705550123' })).body?.fault).toBe('SEND_UNSET');
  await signInClient.nobody.call(loginCalls.sendCode, { to: email, purpose: 'reset', proof: await signInClient.proof('code') });
  await signInClient.mailTo(email);
  const kept = async () => (await admin.call(mailCalls.page, { criteria: { recipient: email } })).content[0];
  expect(await kept()).toMatchObject({ state: 'kept', allowedActions: [], sentAt: null });
  expect((await admin.send(mailCalls.resend, { id: (await kept())?.id })).body?.fault).toBe('SEND_UNSET');
  await setMailServer(app);
  expect(await sends()).toEqual({ email: true, sms: false });
  expect(await kept()).toMatchObject({ state: 'kept', allowedActions: ['resend'] });
});

test('a test text message is sent once a minute to a number, whoever asks', async () => {
  await app.context.unscoped((db) =>
    sql`insert into settings_value (type, value) values ('sms', '{"url":"https://sms.example/send","secret":""}') on conflict (type) do update set value = excluded.value`.execute(
      db,
    ),
  );
  expect(await admin.call(mailCalls.testText, { to: '+49 170 5550124' })).toMatchObject({ channel: 'sms', recipient: '+491705550124' });
  expect((await admin.send(mailCalls.testText, { to: '+49 170 5550124' })).body?.fault).toBe('TOO_MANY');
  expect((await admin.send(mailCalls.testText, { to: '+49 170 5550125' })).code).toBe(200);
  await app.context.unscoped((db) => sql`delete from settings_value where type = 'sms'`.execute(db));
});

test('a person has so many tests sent an hour, mails and text messages together, whoever they are to', async () => {
  await setMailServer(app);
  await app.context.unscoped((db) =>
    sql`insert into settings_value (type, value) values ('sms', '{"url":"https://sms.example/send","secret":""}') on conflict (type) do update set value = excluded.value`.execute(
      db,
    ),
  );
  const person = await app.person('platformAdmin', app.root, 'manager');
  const answers: { code: number; fault: string | undefined }[] = [];
  for (let at = 0; at < TESTS_AN_HOUR + 2; at += 1) {
    const number = String(at).padStart(4, '0');
    const { code, body } = await (at % 2 === 0
      ? person.send(mailCalls.testText, { to: `+49170556${number}` })
      : person.send(mailCalls.test, { to: `test${number}@example.com` }));
    answers.push({ code, fault: body?.fault });
  }
  expect(answers.slice(0, TESTS_AN_HOUR).filter((one) => one.code !== 200)).toEqual([]);
  expect(answers.slice(TESTS_AN_HOUR).map((one) => one.fault)).toEqual(['TOO_MANY', 'TOO_MANY']);
  expect((await admin.send(mailCalls.test, { to: 'another@example.com' })).code).toBe(200);
  await app.context.unscoped((db) => sql`delete from settings_value where type = 'sms'`.execute(db));
});

test('a table’s layout takes all rows on a page, and says everything else as it was; nothing larger is taken', async () => {
  const configs = [
    { key: 'sn', visible: true, flag: true, width: 220, pinned: 'left' as const },
    { key: 'name', visible: false },
  ];
  const layout = { code: 'device.list', size: 50, isSingleLine: false, configs };
  const save = (config: object, code = 'device.list') => admin.send(settingCalls.saveTableConfig, { code, config: JSON.stringify(config) });
  const kept = async () => JSON.parse((await admin.call(settingCalls.tableConfig, { code: 'device.list' }))?.config ?? '{}') as object;
  expect((await save(layout)).code).toBe(200);
  expect((await save({ ...layout, size: PAGE_SIZE_MAX })).code).toBe(200);
  expect(await kept()).toEqual({ ...layout, size: PAGE_SIZE_MAX });
  for (const wrong of [
    { ...layout, size: PAGE_SIZE_MAX + 1 },
    { ...layout, size: 0 },
    { ...layout, code: 'other.list' },
  ])
    expect((await save(wrong)).body?.fault).toBe('CONFIG_INVALID');
  expect(await kept()).toEqual({ ...layout, size: PAGE_SIZE_MAX });
  // Each person has their own.
  expect(await manager.call(settingCalls.tableConfig, { code: 'device.list' })).toBeNull();
});
