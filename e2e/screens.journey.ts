import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN } from './api.ts';
import { axe, bindingTags } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { arrive, type Look, plainLook, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';

beforeAll(async () => {
  ({ stack, password } = await startDemo());
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const looks: readonly Look[] = [
  { theme: 'light', width: 1440, lang: 'en' },
  { theme: 'dark', width: 1440, lang: 'zh-CN' },
  { theme: 'light', width: 390, lang: 'zh-CN' },
  { theme: 'dark', width: 390, lang: 'en' },
];
/** Where all four were clean once: the suite has a time to keep. */
const some = looks.filter((_, at) => at % 2 === 0);
const centre = [
  '/welcome',
  '/device/device',
  '/regDevice',
  '/device/fota',
  '/device/fota/taskmod/new',
  '/device/fota/version',
  '/task/export',
  '/account',
  '/accountSetting',
  '/error/not-found',
];
const manager = ['/dashboard', '/device/all', '/managerAccount', '/manager/accountSetting'];

const open = (look: Look, account: string, platform: 'centre' | 'manager', word = password) =>
  visit(browser, { url: stack.url, account, password: word, platform, look });

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Words of the console that end in dots: in its menus, heads, buttons, tabs and cards. What people named may be long. */
const cutWords = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        '.m-nav span, .m-topbar button, .m-page-head *, h2, h3, .m-tab, .m-card-head *, .ant-btn, .m-field-label',
      ),
    ]
      .filter((one) => one.children.length === 0 && one.offsetParent !== null && getComputedStyle(one).textOverflow === 'ellipsis')
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `cuts “${one.textContent}”`),
  );

async function inspect(page: Page, path: string): Promise<string[]> {
  await page.goto(`${stack.url}${path}`);
  await settled(page);
  return [
    ...(await axe(page, bindingTags)).map((one) => `${path}: ${one}`),
    ...(await bareKeys(page)).map((one) => `${path}: ${one}`),
    ...(await cutWords(page)).map((one) => `${path}: ${one}`),
    ...((await overflow(page)) > 0 ? [`${path}: scrolls sideways`] : []),
  ];
}

test.each(looks)('every screen of the centre stands in $theme, $width px, $lang', async (look) => {
  const { context, page, wrong } = await open(look, 'mark.market', 'centre');
  const found: string[] = [];
  for (const path of centre) found.push(...(await inspect(page, path)));
  await page.goto(`${stack.url}/device/device`);
  await page
    .getByRole('link', { name: /^(VDEMO-|MRG)/ })
    .first()
    .click();
  await page.waitForURL('**/deviceDetail/**');
  found.push(...(await inspect(page, new URL(page.url()).pathname)));
  await context.close();
  expect([...found, ...wrong]).toEqual([]);
});

test.each(looks.slice(0, 2))('every screen of the manager platform stands in $theme, $width px, $lang', async (look) => {
  const { context, page, wrong } = await open(look, 'olga.manager', 'manager');
  const found: string[] = [];
  for (const path of manager) found.push(...(await inspect(page, path)));
  await context.close();
  expect([...found, ...wrong]).toEqual([]);
});

test.each(some)('the products stand in $theme, $width px, $lang', async (look) => {
  const { context, page, wrong } = await open(look, 'admin', 'manager', ADMIN);
  const found: string[] = [];
  const one = ['', '?tab=model', '?tab=sharing', '/edit'].map((part) => `/device/product/1${part}`);
  const lists = ['firms', 'industries', 'categories'].map((part) => `/device/product?do=${part}`);
  for (const path of ['/device/product', '/device/product?text=nothing-like-it', '/device/product/new', ...one, ...lists]) {
    found.push(...(await inspect(page, path)));
    const { theme, width } = look;
    const name = `${path.replace(/\W+/g, '-')} ${theme} ${width}.png`;
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/${name}`, fullPage: true });
  }
  await context.close();
  expect([...found, ...wrong]).toEqual([]);
});

test.each(looks)('the doors stand in $theme, $width px, $lang', async (look) => {
  const { context, page, wrong } = await arrive(browser, stack.url, look);
  const found: string[] = [];
  for (const path of ['/login', '/password', '/reg', '/reg?invite=a-code-that-nobody-has']) found.push(...(await inspect(page, path)));
  await context.close();
  expect([...found, ...wrong]).toEqual([]);
});

test.each(some)('the policies stand in $theme, $width px, $lang', async (look) => {
  const { context, page, wrong } = await open(look, 'admin', 'manager', ADMIN);
  const found: string[] = [];
  for (const path of ['/system/settings?tab=login-policy', '/system/settings?tab=password-policy'])
    found.push(...(await inspect(page, path)));
  await context.close();
  expect([...found, ...wrong]).toEqual([]);
});

const administration = {
  centre: [
    '/sys/log',
    '/message',
    '/message?tab=sent',
    ...['', '?tab=invites', '?text=nobody-like-that'].map((part) => `/sys/member${part}`),
    ...['', '?tab=applications', '?tab=trust'].map((part) => `/sys/dept${part}`),
    '/sys/role',
    '/sys/role/new',
    '/sys/review',
  ],
  manager: [
    '/managerSys/member',
    '/managerSys/role',
    '/managerSys/review',
    '/businessUnit',
    '/businessUnit?tab=lines',
    ...[
      'branding',
      'project',
      'mail',
      'sms',
      'outbox',
      'alarms',
      'domains',
      'webhooks',
      'outbound',
      'sso',
      'review',
      'storage',
      'tokens',
    ].map((tab) => `/system/settings?tab=${tab}`),
    '/paramsDic',
    '/paramsDic?row=1',
    '/labelManage',
    '/labelManage?tab=texts&lang=zh-CN',
    '/manager/message',
    '/sys/management/log',
    '/userFootprint?user=1',
    '/userFootprint?tab=online',
  ],
} as const;

test.each(some)('the administration stands in $theme, $width px, $lang', async (look) => {
  const found: string[] = [];
  for (const platform of ['centre', 'manager'] as const) {
    const { context, page, wrong } = await open(look, 'admin', platform, ADMIN);
    for (const path of administration[platform]) found.push(...(await inspect(page, path)));
    await context.close();
    found.push(...wrong);
  }
  expect(found).toEqual([]);
});

test.each(some)('real names stand in $theme, $width px, $lang', async (look) => {
  const found: string[] = [];
  const visits = [
    ['olga.manager', 'centre', ['/auth/person', '/auth/org', '/sys/dept?tab=invites']],
    ['aud.auditor', 'manager', ['/authAudit', '/authAudit?text=nobody-like-that', '/auth/person']],
    ['admin', 'manager', ['/system/settings?tab=registration', '/system/settings?tab=real-name']],
  ] as const;
  for (const [account, platform, paths] of visits) {
    const { context, page, wrong } = await open(look, account, platform, account === 'admin' ? ADMIN : password);
    for (const path of paths) found.push(...(await inspect(page, path)));
    await context.close();
    found.push(...wrong);
  }
  expect(found).toEqual([]);
});

test('dialogs and drawers keep the content policy, and hold the page still', async () => {
  const { context, page, wrong } = await open(plainLook, 'mark.market', 'centre');
  await page.goto(`${stack.url}/device/fota/version`);
  await page.getByRole('button', { name: 'Upload package' }).first().click();
  await page.getByRole('dialog').waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.body).overflowY)).toBe('hidden');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await waitFor(() => page.evaluate(() => getComputedStyle(document.body).overflowY !== 'hidden'), 'the page to be let go');
  await context.close();
  expect(wrong).toEqual([]);
});
