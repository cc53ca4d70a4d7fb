import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { signIn } from './api.ts';
import { watchTraffic } from './settled.ts';

export interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly lang: 'en' | 'zh-CN' | 'ar';
}
export const plainLook: Look = { theme: 'light', width: 1440, lang: 'en' };

const spoken = { en: 'English', 'zh-CN': '简体中文', ar: 'العربية' } as const;
/** By the menu of languages, as the sign-in page and the head of a wide one have it. */
export async function speak(page: Page, lang: Look['lang']): Promise<void> {
  await page.getByRole('button', { name: /^(语言|Language)$/ }).click();
  await page.getByRole('menuitem', { name: spoken[lang] }).click();
  await page.locator(`html[lang="${lang}"]`).waitFor({ state: 'attached' });
}

interface Visitor {
  readonly url: string;
  readonly account: string;
  readonly password: string;
  readonly platform: 'centre' | 'manager';
  readonly look?: Look;
  /** The page they begin at; the home of the platform otherwise. */
  readonly at?: string | undefined;
}

type Storage = NonNullable<BrowserContextOptions['storageState']>;

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong on the page. */
  readonly wrong: string[];
}

async function openContext(browser: Browser, look: Look, storageState?: Storage) {
  const context = await browser.newContext({
    viewport: { width: look.width, height: 900 },
    colorScheme: look.theme,
    reducedMotion: 'reduce',
    ...(storageState ? { storageState } : {}),
  });
  const page = await context.newPage();
  watchTraffic(page);
  const wrong: string[] = [];
  page.on('console', (line) => line.type() === 'error' && wrong.push(line.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  return { context, page, wrong };
}

/** A browser of its own that has never been here, at the door. */
export async function arrive(browser: Browser, url: string, look: Look = plainLook): Promise<Visit> {
  const visit = await openContext(browser, look);
  await visit.page.goto(`${url}/login`);
  // The browser of the journeys is English.
  if (look.lang !== 'en') await speak(visit.page, look.lang);
  return visit;
}

/** A person who has signed in before, in a browser of their own that remembers it: the door itself has journeys of its own. */
export async function visit(browser: Browser, { url, account, password, platform, look = plainLook, at }: Visitor): Promise<Visit> {
  const kept = {
    [`token.${platform}`]: await signIn(url, account, password, platform),
    platform,
    lang: look.lang,
    'lang.chosen': '1',
  };
  const localStorage = Object.entries(kept).map(([key, value]) => ({ name: `mooring.${key}`, value }));
  const visit = await openContext(browser, look, { cookies: [], origins: [{ origin: new URL(url).origin, localStorage }] });
  await visit.page.goto(`${url}${at ?? '/'}`);
  if (at === undefined) await visit.page.waitForURL(platform === 'centre' ? '**/welcome' : '**/device/all');
  return visit;
}
