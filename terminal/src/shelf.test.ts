import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApk } from '@mooring/apk/apk.factory';
import { expect, test } from 'vitest';
import { openShelf } from './shelf.ts';

test('what an app says stays known though its file goes, and a file that could not be read is read again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-shelf-test-'));
  try {
    const shelf = openShelf(folder);
    const bytes = await makeApk({ packageName: 'com.bank.pay' });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await shelf.readApp(sha256)).toBeUndefined();
    writeFileSync(join(folder, sha256), 'not yet a package');
    expect(await shelf.readApp(sha256)).toBeUndefined();
    writeFileSync(join(folder, sha256), bytes);
    expect(await shelf.readApp(sha256)).toMatchObject({ packageName: 'com.bank.pay' });
    rmSync(join(folder, sha256));
    expect(await shelf.readApp(sha256)).toMatchObject({ packageName: 'com.bank.pay' });
    shelf.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
