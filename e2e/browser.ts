import { statfsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.ts';
import { watched } from './flaws.ts';
import { fontConfig } from './fonts.ts';
import { lateAnswers, PATIENCE_MS } from './late.ts';

// Containers and root have no sandbox to offer; journeys open our own pages only.
const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-gpu', '--disable-software-rasterizer'];
/**
 * Each load of the console begins anew, so what is compiled for speed in the background is thrown away before it has paid: a sixth of the
 * browser's processor time. So is most of the memory, which needs a larger place for what is young.
 */
const SHORT_LIVED = '--js-flags=--no-maglev --no-opt --no-parallel-scavenge --min-semi-space-size=32 --max-semi-space-size=64';
const SHARED = '/dev/shm';
const ENOUGH = 1024 ** 3;

/**
 * Playwright puts the memory that a browser's processes share into files, as small containers need it. Where there is room they share it as
 * at a person's desk: a page with its memory in files waits whenever the disk is busy (measured: up to 112 ms for a task of 3 ms).
 */
function needless(): string[] {
  try {
    const { bavail, bsize } = statfsSync(SHARED);
    return bavail * bsize > ENOUGH ? ['--disable-dev-shm-usage'] : [];
  } catch {
    return [];
  }
}

/** What hangs is told from what is slow on a machine that others use too, in each context that is opened in it. */
function patient(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}

/** A browser, the same on every machine: with Chinese and Arabic fonts, without a download. */
async function launch(further: readonly string[] = []): Promise<Browser> {
  const { file, env } = findChromium();
  const browser = await chromium.launch({
    executablePath: file,
    args: [...args, ...further],
    // A signal ends what whoever started all this wants to end, in the order that they want; the browser goes with its pipe.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ignoreDefaultArgs: needless(),
    env: { ...process.env, ...env, FONTCONFIG_FILE: await fontConfig() },
  });
  return patient(browser);
}

let shared: Promise<Browser> | undefined;

/** Stays until its process ends: whoever closes it closes what was opened in it. */
function lasting(browser: Browser): Browser {
  browser.close = async () => {
    await Promise.all(browser.contexts().map((one) => one.close()));
  };
  return browser;
}

/** One for all journeys of a process, watched; measurements are of the pages alone, in a browser of their own. */
export function launchBrowser(): Promise<Browser> {
  if (!process.env.VITEST) return launch();
  shared ??= launch([SHORT_LIVED]).then(watched).then(lateAnswers).then(lasting);
  return shared;
}
