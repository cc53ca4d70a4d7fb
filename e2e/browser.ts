import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium.ts';
import { fontConfig } from './fonts.ts';

// Containers and root have no sandbox to offer; journeys open our own pages only.
const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-gpu', '--disable-software-rasterizer'];

/** A browser for journeys, the same on every machine: with Chinese and Arabic fonts, without a download. */
export async function launchBrowser(): Promise<Browser> {
  const { file, env } = findChromium();
  return chromium.launch({ executablePath: file, args, env: { ...process.env, ...env, FONTCONFIG_FILE: await fontConfig() } });
}
