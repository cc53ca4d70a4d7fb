import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startObjectStore } from '../../../test/object-store.ts';
import { testApp } from '../../../test/test-app.ts';
import { watchStore } from './watch-store.ts';

const ready = async (env: Record<string, string>) => {
  const app = await testApp({ env });
  try {
    const said: string[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void said.push(line) });
    await watchStore({ ...app.context, log })();
    const answer = await app.http.inject({ url: '/readyz' });
    return { status: answer.statusCode, body: answer.body, said: said.join('') };
  } finally {
    await app.stop();
  }
};

test('the object store is tried at the start and by /readyz: one that answers, one with another bucket, one that is away', async () => {
  const objects = await startObjectStore();
  expect(await ready(objects.env)).toEqual({ status: 200, body: 'ready\n', said: '' });
  const wrong = await ready({ ...objects.env, S3_BUCKET: 'another' });
  expect(wrong).toMatchObject({ status: 503, body: 'object store does not answer\n' });
  expect(wrong.said).toContain("S3_ENDPOINT can't be used");
  expect(wrong.said).toContain('NoSuchBucket');
  await objects.stop();
  const away = await ready(objects.env);
  expect(away).toMatchObject({ status: 503 });
  expect(away.said).toContain("the object store doesn't answer");
});
