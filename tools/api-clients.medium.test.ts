import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingPrograms } from '../server/src/modules/device/device.factory.ts';
import { makeDevices, makeProduct } from '../server/test/firmware.ts';
import { type TestApp, testApp } from '../server/test/test-app.ts';
import { packageScript, root, runNode } from './suite/processes.ts';

let app: TestApp;
let address: string;
let folder: string;
beforeAll(async () => {
  app = await testApp({ realClock: true });
  address = await app.http.listen({ host: '127.0.0.1', port: 0 });
  mkdirSync(join(root, '.cache'), { recursive: true });
  // Inside, so that its imports are found.
  folder = mkdtempSync(join(root, '.cache', 'api-client-'));
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});
const ends = (command: string, args: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number | null; out: string; said: string }>((resolve) => {
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, MOORING: address, ...env } });
    let [out, said] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('exit', (code) => resolve({ code, out, said }));
  });

test('a client generated from the document compiles, and makes a release with a token of the server', async () => {
  const document = await (await fetch(`${address}/docs/openapi.json`)).text();
  writeFileSync(join(folder, 'mooring.ts'), astToString(await openapiTS(document)));
  cpSync(join(root, 'docs', 'examples', 'release.ts'), join(folder, 'release.ts'));
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2024',
    '--module',
    'preserve',
    '--types',
    'node',
  ];
  const compiled = await runNode([
    packageScript('typescript', 'bin', 'tsc'),
    ...options,
    '--allowImportingTsExtensions',
    join(folder, 'release.ts'),
  ]);
  expect(compiled).toEqual({ code: 0, output: '' });

  const productId = await makeProduct(app, app.root, 'A920');
  await makeDevices(app, await app.dept('Bank'), productId, ['SN1', 'SN2']);
  const admin = await app.person('platformAdmin', app.root);
  const { account } = await app.context.unscoped((db) =>
    db.selectFrom('account_user').select('account').where('id', '=', admin.userId).executeTakeFirstOrThrow(),
  );
  const scopes = ['product:product:page', 'firmware:package:add', 'firmware:package:publish', 'firmware:task:add', 'firmware:task:enable'];
  const made = await ends(process.execPath, [join(root, 'tools/token.ts'), '--for', account, '--scopes', scopes.join()], {
    DATABASE_URL: app.url,
    DATA_DIR: app.dataDir,
  });
  expect(made).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^mtk_\S+\n$/),
    said: expect.stringContaining('on centre and manager'),
  });

  writeFileSync(join(folder, 'firmware.bin'), 'firmware');
  const released = await ends(process.execPath, ['release.ts', 'A920', '2.0.0', 'firmware.bin'], { TOKEN: made.out.trim() });
  expect(released).toMatchObject({ code: 0, said: '' });
  const { task } = JSON.parse(released.out) as { task: number };
  const row = await app.context.unscoped((db) =>
    db.selectFrom('rollout_task').select(['name', 'state']).where('id', '=', task).executeTakeFirst(),
  );
  expect(row).toMatchObject({ name: 'A920 2.0.0' });
});

/** The examples as they stand in the document, word for word. */
const example = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n((?:(?!\`\`\`)[^])*login/account(?:(?!\`\`\`)[^])*)^\`\`\``, 'm').exec(
    readFileSync(join(root, 'docs/api.md'), 'utf8'),
  )?.[1] ?? expect.fail();
const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
if (!hasPython) process.stderr.write('skipped: python3 with cryptography is not installed here: the Python example is not tried\n');
const hasShell = missingPrograms('bash', 'curl', 'jq', 'openssl').length === 0;
if (!hasShell) process.stderr.write('skipped: curl, jq or openssl is not installed here: the shell example is not tried\n');
const examples = [
  ['sh', 'bash', hasShell],
  ['python', 'python3', hasPython],
] as const;

test.for(examples)('the %s example of the document seals a password that signs in', async ([language, program, isHere], { skip }) => {
  if (!isHere) skip();
  const admin = await app.person('platformAdmin', app.root);
  const { account } = await app.context.unscoped((db) =>
    db.selectFrom('account_user').select('account').where('id', '=', admin.userId).executeTakeFirstOrThrow(),
  );
  const { out, said } = await ends(program, ['-c', example(language)], { ACCOUNT: account, PASSWORD: `Good.Word${account.slice(6)}x` });
  expect(said).toBe('');
  expect(JSON.parse(out)).toMatchObject({ code: 200, body: { token: expect.any(String) } });
});
