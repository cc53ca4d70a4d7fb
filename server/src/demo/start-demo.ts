import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { oneTimePassword } from '../modules/account/api.ts';
import { makeEnrolCode } from '../modules/device/api.ts';
import type { AppContext } from '../platform/app-context.ts';
import { LIVE_TERMINALS, people } from './estate.ts';
import { seedEstate } from './seed-estate.ts';

const CODE_HOURS = 24;
const fleet = join(import.meta.dirname, '../../../terminal/src/fleet.ts');

/** Seeds the estate on an empty installation and starts live virtual terminals. Answers their stop. */
export async function startDemo(app: AppContext, address: string, print: (text: string) => void): Promise<() => Promise<void>> {
  const password = oneTimePassword();
  if (await app.unscoped((db) => seedEstate(db, password))) {
    print(`  Sample people (${people.map((person) => person.account).join(', ')}) sign in with ${password}`);
    print('  This password is shown once too.');
  }
  const code = await app.unscoped(async (db) => {
    const dept = await db.selectFrom('org_dept').select(['id', 'dept_path']).where('name', '=', 'Meridian Payments').executeTakeFirst();
    const product = await db.selectFrom('product_product').select('id').where('code', '=', 'MP-A20').executeTakeFirst();
    if (!dept || !product) return undefined;
    const expiresAt = new Date(app.now().getTime() + CODE_HOURS * 3_600_000);
    return (
      await makeEnrolCode(db, { deptId: dept.id, deptPath: dept.dept_path, productId: product.id, maxUses: LIVE_TERMINALS, expiresAt })
    ).code;
  });
  if (!code) return async () => {};
  const args = [
    fleet,
    '--server',
    address,
    '--count',
    String(LIVE_TERMINALS),
    '--product',
    'MP-A20',
    '--firmware',
    '4.2.0',
    '--flaky',
    '5',
    // Not those of a fleet that is started beside it.
    '--seed',
    'demo',
    '--state',
    join(app.config.DATA_DIR, 'fleet.json'),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // Not as an argument: everybody on the machine reads those.
    env: { ...process.env, ENROL_CODE: code },
  });
  child.on('error', (error) => app.log.warn({ error: error.message }, 'virtual terminals not started'));
  print(`  ${LIVE_TERMINALS} virtual terminals are coming in.`);
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  };
}
