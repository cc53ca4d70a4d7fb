import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import decompress from 'woff2-encoder/decompress';
import { cacheFolder } from '../tools/setup/environment.mjs';

const packages = ['@fontsource-variable/noto-sans-sc', '@fontsource-variable/noto-sans-arabic'];

const config = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'cache')}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family><family>Noto Sans SC</family><family>Noto Sans Arabic</family></prefer></alias>
</fontconfig>
`;

/**
 * Chinese and Arabic fonts for a machine that has none, as a fontconfig file. The packages are made for pages (WOFF2),
 * which Chromium takes from a page but draws empty when the system offers it: so they are unpacked.
 */
export async function fontConfig(): Promise<string> {
  const folder = join(cacheFolder(), `fonts-${process.getuid?.() ?? 'user'}`);
  const file = join(folder, 'fonts.conf');
  if (existsSync(file)) return file;
  const next = `${folder}.${process.pid}`;
  mkdirSync(next, { recursive: true });
  try {
    for (const name of packages) await unpackFonts(name, next);
    writeFileSync(join(next, 'fonts.conf'), config(folder));
    if (!existsSync(folder)) renameSync(next, folder);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return file;
}

async function unpackFonts(name: string, to: string): Promise<void> {
  const from = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  for (const font of globSync('files/*-wght-normal.woff2', { cwd: from })) {
    writeFileSync(join(to, basename(font, '.woff2').concat('.ttf')), await decompress(readFileSync(join(from, font))));
  }
}
