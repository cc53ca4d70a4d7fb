import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** In the package too: docs/ is part of it. */
export const manualFolder = join(import.meta.dirname, '../../../../docs/help');

const Categories = z.array(z.strictObject({ key: z.string(), name: z.string(), nameZh: z.string() }));

export interface ManualArticle {
  readonly key: string;
  readonly category: string;
  readonly position: number;
  readonly routes: readonly string[];
  readonly title: string;
  readonly titleZh: string;
  readonly body: string;
  readonly bodyZh: string;
  /** Read before sign-in too. */
  readonly open: boolean;
  /** Of all that it says. */
  readonly digest: string;
}
export interface Manual {
  readonly categories: z.output<typeof Categories>;
  readonly articles: readonly ManualArticle[];
}

/** A file's head between two lines of `---`, and the text below. */
export function parted(file: string, text: string): { head: ReadonlyMap<string, string>; body: string } {
  const found = /^---\n([\s\S]*?)\n---\n+([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n'));
  if (!found) throw new Error(`${file} has no head`);
  const lines = (found[1] ?? '').split('\n').map((line) => /^(\w+): *(.*)$/.exec(line));
  if (lines.includes(null)) throw new Error(`${file}: a line of its head is no "name: value"`);
  return { head: new Map(lines.map((line) => [line?.[1] ?? '', line?.[2]?.trim() ?? ''])), body: (found[2] ?? '').trim() };
}

/** One that isn't open says nothing of it: what came before there were such articles hasn't changed by that. */
const digestOf = ({ open, ...article }: Omit<ManualArticle, 'digest'>): string =>
  createHash('sha256')
    .update(JSON.stringify(open ? { ...article, open } : article))
    .digest('hex');

function articleIn(folder: string, name: string): ManualArticle {
  const read = (lang: string) => parted(`${lang}/${name}`, readFileSync(join(folder, lang, name), 'utf8'));
  const [en, zh] = [read('en'), read('zh-CN')];
  const of = (key: string, from = en) => {
    const value = from.head.get(key);
    if (value === undefined || value === '') throw new Error(`${name}: its head doesn’t say ${key}`);
    return value;
  };
  const article = {
    key: of('key'),
    category: of('category'),
    position: Number(of('order')),
    routes: of('routes')
      .split(',')
      .map((one) => one.trim()),
    title: of('title'),
    titleZh: of('title', zh),
    body: en.body,
    bodyZh: zh.body,
    open: en.head.get('open') === 'yes',
  };
  return { ...article, digest: digestOf(article) };
}

/** The manual that comes with the product: English and Chinese, a file each. */
export function readManual(folder = manualFolder): Manual {
  const categories = Categories.parse(JSON.parse(readFileSync(join(folder, 'categories.json'), 'utf8')));
  const names = readdirSync(join(folder, 'en')).filter((name) => name.endsWith('.md'));
  return { categories, articles: names.sort().map((name) => articleIn(folder, name)) };
}
