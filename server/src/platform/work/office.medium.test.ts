import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import type { Cell } from './defuse.ts';
import { readXlsx } from './read-xlsx.ts';
import { xlsx } from './xlsx.ts';

const folder = mkdtempSync(join(tmpdir(), 'mooring-office-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const isThere = spawnSync('soffice', ['--version']).status === 0;

const convert = (file: string, to: string, ...more: string[]) =>
  execFileSync(
    'soffice',
    [`-env:UserInstallation=file://${folder}/profile`, '--headless', ...more, '--convert-to', to, '--outdir', folder, join(folder, file)],
    { stdio: 'ignore' },
  );
async function* rows(list: readonly Cell[][]) {
  yield* list;
}
const cells = [
  ['Café 终端 العربية', 12.5, 'a,b "c"\nd'],
  ['=1+1', 0, '<&>'],
];

if (!isThere) process.stderr.write('skipped: LibreOffice is not installed here: sheets are read and written by our own code alone\n');

test.skipIf(!isThere)('LibreOffice opens what we write, and takes no formula for one', { timeout: 120_000 }, async () => {
  writeFileSync(join(folder, 'ours.xlsx'), await buffer(xlsx(['Name', 'Count', 'Text'], rows(cells))));
  convert('ours.xlsx', 'csv:Text - txt - csv (StarCalc):44,34,76,1');
  expect(readFileSync(join(folder, 'ours.csv'), 'utf8')).toBe(
    '"Name","Count","Text"\n"Café 终端 العربية",12.5,"a,b ""c""\nd"\n"\'=1+1",0,"<&>"\n',
  );
});

test.skipIf(!isThere)('we read what LibreOffice writes', { timeout: 120_000 }, async () => {
  writeFileSync(join(folder, 'theirs.csv'), 'key,text\nfault.FORBIDDEN,"Nein, ""das"" nicht"\n终端,7\n');
  convert('theirs.csv', 'xlsx:Calc MS Excel 2007 XML', '--infilter=CSV:44,34,76,1');
  const found: string[][] = [];
  for await (const row of readXlsx(readFileSync(join(folder, 'theirs.xlsx')))) found.push(row);
  expect(found).toEqual([
    ['key', 'text'],
    ['fault.FORBIDDEN', 'Nein, "das" nicht'],
    ['终端', '7'],
  ]);
});
