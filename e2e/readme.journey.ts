import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textTables } from '@mooring/contract/texts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ADMIN } from './api.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startStack, waitFor } from './stack.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** What a person is told to press or to see, in the README's order. */
const labels = [...readme.matchAll(/(?<![\w`])_([A-Z][^_\n]{1,40})_(?!\w)/g)].map(([, label = '']) => label);
const [fleetCommand = '', product = '', count = ''] =
  /npm run fleet -- --server \S+ --product (\S+) --code … --count (\d+)/.exec(readme) ?? [];
/** The two platforms, the one where a person begins first. */
const platforms = [...readme.matchAll(/\*\*(\w+)\*\*,\s+where/g)].map(([, name = '']) => name);
/** What the README tells people to type, as npm carries it out: `npm start`, `npm run fleet -- …`. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
function scriptOf(typed: string): string[] {
  const [, name = '', rest = ''] = /^npm (?:run )?(\w+)(?: -- (.*))?$/.exec(typed) ?? [];
  const [program, file = '', ...args] = (scripts[name] ?? '').split(' ');
  expect(program, `a script that ${typed} runs`).toBe('node');
  return [join(root, file), ...args, ...rest.split(' ').filter(Boolean)];
}
/** The same command, whatever stands in it for the address and the code of this installation. */
const shapeOf = (typed: string) => typed.replace(/(--server|--code) \S+/g, '$1 …');
/** The five steps, in their words. */
const steps = readme.split(/^\d\. \*\*\w+\.\*\*/m).slice(1);
/** A newcomer is done by then (each click waits for what it leads to). */
const MOST_CLICKS = 25;
const MOST_MINUTES = 5;

type Lang = 'en' | 'zh-CN';
const entries = Object.values(textTables).flatMap((table) => Object.entries(table));
/** A label of the README as the console says it: by its text's key in another language. */
function said(label: string, lang: Lang): RegExp {
  const plain = label.replace(/\b\d+\b/g, '#');
  const keys = entries.filter(([, [en]]) => en === label || spokenFor(en) === plain);
  expect(keys, `a text that says ${label}`).not.toEqual([]);
  const words = keys.map(([, [en, zh]]) =>
    lang === 'en' ? (en === label ? en : label) : zh.replace(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, '@'),
  );
  const escaped = [...new Set(words)].map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('@', '.*'));
  return new RegExp(`^(${escaped.join('|')})$`);
}
/** "Release to # terminals" of a message that counts. */
const spokenFor = (en: string) => {
  const other = /^(.*?)\{\w+, plural,.*other \{(.*?)\}\}(.*)$/.exec(en);
  return other ? `${other[1]}${other[2]}${other[3]}` : en;
};

let stack: Stack;
let browser: Browser;
let page: Page;
let folder: string;
let fleet: ChildProcess | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  // On ports of its own, as the README says for one that is taken.
  expect(readme).toMatch(/`PORT=\d+ MQTT_PORT=\d+ MQTT_TLS_PORT=\d+ npm start`/);
  const [main, ...args] = scriptOf('npm start');
  stack = await startStack({ ...(main ? { main } : {}), args });
  folder = mkdtempSync(join(tmpdir(), 'mooring-readme-'));
  writeFileSync(join(folder, 'fw.bin'), randomBytes(300_000));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await page?.screenshot({ path: join(root, '.cache/journeys', `readme ${task.name.slice(0, 30)}.png`) });
  if (fleet && fleet.exitCode === null) {
    const ended = once(fleet, 'exit');
    fleet.kill('SIGTERM');
    await ended;
  }
  await page?.context().close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** How a person gets on: by pressing with the mouse, or by walking there with Tab and pressing Enter. */
interface Hand {
  readonly clicks: () => number;
  press(target: Locator): Promise<void>;
  fill(target: Locator, text: string): Promise<void>;
}

function mouse(): Hand {
  let clicks = 0;
  return {
    clicks: () => clicks,
    async press(target) {
      clicks++;
      await target.click();
    },
    fill: (target, text) => target.fill(text),
  };
}

const MOST_TABS = 120;
function keyboard(): Hand {
  let presses = 0;
  const walkTo = async (target: Locator) => {
    await target.waitFor();
    const isThere = () => target.evaluate((element) => element === document.activeElement || element.contains(document.activeElement));
    for (let tabs = 0; tabs < MOST_TABS && !(await isThere()); tabs++) await page.keyboard.press('Tab');
    expect(await isThere(), `Tab reaches ${target}`).toBe(true);
  };
  return {
    clicks: () => presses,
    async press(target) {
      presses++;
      if ((await target.getAttribute('role')) === 'menuitem') {
        const isOn = () => target.evaluate((element) => element === document.activeElement);
        // An open menu takes the focus, and is walked with the arrows. What is pressed before goes to the button that opened it.
        await page.locator('[role=menu]').filter({ has: target }).and(page.locator(':focus-within')).waitFor();
        for (let steps = 0; steps < 20 && !(await isOn()); steps++) await page.keyboard.press('ArrowDown');
        expect(await isOn(), `the arrows reach ${target}`).toBe(true);
      } else await walkTo(target);
      await page.keyboard.press('Enter');
    },
    async fill(target, text) {
      await walkTo(target);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
  };
}

test.each([
  ['mouse', 'en', mouse],
  ['keyboard', 'en', keyboard],
  ['mouse', 'zh-CN', mouse],
  ['keyboard', 'zh-CN', keyboard],
] as const)('the README leads from a fresh installation to updated terminals: %s, %s', async (_name, lang, hands) => {
  const hand = hands();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: lang, reducedMotion: 'reduce' });
  page = await context.newPage();
  let at = 0;
  /** What the README says next, on this screen. */
  const next = (...roles: readonly ('button' | 'link' | 'menuitem' | 'tab')[]): Locator => {
    const name = said(labels[at++] ?? 'nothing', lang);
    const [first = 'button', ...others] = roles;
    const found = others.reduce((all, role) => all.or(scope().getByRole(role, { name })), scope().getByRole(first, { name }));
    return found.first();
  };
  const dialog = page.getByRole('dialog');
  let inDialog = false;
  const scope = () => (inDialog ? dialog : page);
  /** A field by its label, which a step of the README names in passing: "with a code such as `A920` and a name". */
  const field = (label: string, step: number): Locator => {
    expect(steps[step], `step ${step + 1} names its field`).toMatch(new RegExp(`\\b${label}\\b`, 'i'));
    return scope().getByLabel(said(label, lang)).and(page.locator('input')).filter({ visible: true }).first();
  };
  /** By the button that names the platform, at the top left. */
  const switchTo = async (from: string | undefined) => {
    const name = new RegExp(said(from ?? 'nothing', lang).source.replaceAll(/[$^]/g, ''));
    await hand.press(page.getByRole('banner').getByRole('button', { name }).first());
    await hand.press(next('menuitem'));
  };
  const began = Date.now();

  await page.goto(stack.url);
  await hand.fill(page.locator('#login-account'), 'admin');
  await hand.fill(page.getByLabel(said('Password', lang)).and(page.locator('input')).first(), stack.password);
  await hand.press(next('button'));
  const passwords = page.locator('.m-gate-card input[type=password]');
  await passwords.first().waitFor();
  await hand.fill(passwords.nth(0), stack.password);
  await hand.fill(passwords.nth(1), ADMIN);
  await hand.fill(passwords.nth(2), ADMIN);
  await hand.press(next('button'));
  await page.waitForURL('**/welcome');

  // 1. Product
  await switchTo(platforms[0]);
  await hand.press(next('link'));
  await page.waitForURL('**/device/product');
  await hand.press(next('link'));
  await page.waitForURL('**/device/product/new');
  await hand.fill(field('Code', 0), product);
  await hand.fill(field('Name', 0), 'Counter terminal');
  await hand.press(next('button'));
  await page.waitForURL('**/device/product');

  // 2. Terminals
  await switchTo(platforms[1]);
  await hand.press(next('link'));
  await page.waitForURL('**/regDevice');
  await hand.press(next('button'));
  inDialog = true;
  await dialog.getByText('Counter terminal').waitFor();
  await hand.fill(field('Terminals', 1), count);
  await hand.press(next('button'));
  const shown = await dialog.locator('.m-command code').textContent();
  const typed = (shown ?? '').trim();
  expect(shapeOf(typed)).toBe(shapeOf(fleetCommand));
  expect(typed).toContain(`--server ${stack.url} `);
  // What it keeps is below the folder where it is typed.
  fleet = spawn(process.execPath, scriptOf(typed), { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let told = '';
  fleet.stdout?.on('data', (piece: Buffer) => {
    told += piece.toString();
  });
  await hand.press(next('button'));
  inDialog = false;
  // Whoever goes on before the terminals are there releases to none.
  const there = /`(\d+ of \d+ terminals in contact)`/.exec(readme)?.[1] ?? 'a line of the README';
  await waitFor(() => told.includes(there), there);

  // 3. Package
  await hand.press(next('link'));
  await page.waitForURL('**/device/fota/version');
  await hand.press(next('button'));
  inDialog = true;
  const chooser = page.waitForEvent('filechooser');
  await hand.press(dialog.locator('.m-drop button'));
  await (await chooser).setFiles(join(folder, 'fw.bin'));
  await hand.fill(field('Version', 2), '2.0.0');
  await dialog.getByText('Counter terminal').waitFor();
  await dialog.getByText(said('Uploaded', lang)).first().waitFor();
  await hand.press(next('button'));
  inDialog = false;

  // 4. Release
  await hand.press(next('button'));
  await page.waitForURL('**/taskmod/new**');
  await hand.fill(field('Name', 3), 'First release');
  for (const step of ['whom', 'how', 'check']) {
    await hand.press(next('button'));
    await page.waitForURL((url) => url.searchParams.get('step') === step);
    // A step takes the focus to its heading.
    await page.waitForFunction(() => /^H\d$/.test(document.activeElement?.tagName ?? ''));
  }
  await hand.press(next('button'));
  await page.waitForURL(/taskmod\/\d+/);

  // 5. Watch
  const finished = page.getByText(said(labels[at++] ?? '', lang)).first();
  await finished.waitFor({ timeout: 120_000 });
  await waitFor(async () => (await page.locator('.m-shares-legend li b').first().textContent()) === count, 'all terminals to succeed');
  expect(at, 'every label of the README was used').toBe(labels.length);
  expect(hand.clicks()).toBeLessThanOrEqual(MOST_CLICKS);
  expect((Date.now() - began) / 60_000).toBeLessThan(MOST_MINUTES);
});
