import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { xlsx } from './xlsx.ts';

test('rows that fail before anybody reads end whoever reads later, and nothing else', async () => {
  const failure = new Error('the database said no');
  // biome-ignore lint/correctness/useYield: it fails with its first row
  async function* rows(): AsyncGenerator<readonly string[]> {
    throw failure;
  }
  const out = xlsx(['A'], rows());
  const stray: unknown[] = [];
  const note = (error: unknown) => stray.push(error);
  process.on('uncaughtException', note);
  try {
    while (!out.destroyed) await new Promise(setImmediate);
    await new Promise(setImmediate);
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    await expect(pipeline(out, nowhere)).rejects.toBe(failure);
    expect(stray).toEqual([]);
  } finally {
    process.off('uncaughtException', note);
  }
});
