import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { deviceChangeCalls, deviceImportCalls } from '@mooring/contract/device/sheet/sheet-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { readXlsx } from '../../../platform/work/read-xlsx.ts';
import { makeMerchant } from '../../merchant/merchant.factory.ts';
import type { DeptAt } from '../../org/api.ts';
import { ended, uploaded } from './sheet.factory.ts';

let app: TestApp;
let bank: DeptAt;
let manager: Client;
/** Adds terminals, and nothing else. */
let adder: Client;
/** Changes them too, and fills no groups. */
let changer: Client;
let productId: number;

async function roleWith(code: string, menus: readonly string[]): Promise<string> {
  await app.context.unscoped((db) =>
    sql`insert into access_role (code, name, type, platforms, menus, dept_id, dept_path)
      values (${code}, ${code}, '2', '{centre}', ${menus}::text[], 1, '1.')`.execute(db),
  );
  return code;
}
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Rights bank');
  manager = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root, 'RP1');
  const sees = ['device', 'device:device:page', 'device:device:add'];
  adder = await app.person(await roleWith('adds', sees), bank);
  changer = await app.person(await roleWith('changes', [...sees, 'device:device:update']), bank);
  await makeMerchant(manager, bank.id, { number: 'M-1' });
  await manager.call(deviceGroupCalls.add, { name: 'Pilot', kind: 'static', deptId: bank.id });
});
afterAll(() => app.stop());

const csv = (client: Client, ...lines: string[]) => uploaded(app, client, bank, `${lines.join('\n')}\n`);
const cells = ({ wrong }: { wrong: readonly { row: number; column: string; fault: string }[] }) =>
  wrong.map(({ row, column, fault }) => `${row} ${column} ${fault}`);

test('a cell sets nothing that its person may not set elsewhere', async () => {
  const lines = ['SN,Merchant number,Shop number,Groups', 'RGT-0001,M-1,NONE,Pilot', 'RGT-0002,,,'];
  const file = await csv(adder, ...lines);
  expect(cells(await adder.call(deviceImportCalls.check, { file, productId }))).toEqual([
    '2 device.sheet.merchant FORBIDDEN',
    '2 device.sheet.shop FORBIDDEN',
    '2 device.groups FORBIDDEN',
  ]);
  const { work } = await adder.call(deviceImportCalls.import, { file, productId, mode: 'good' });
  expect(await ended(app, adder, work)).toMatchObject({ state: 'done', failed: 1 });
  const changes = await csv(changer, 'SN,Merchant number,Groups', 'RGT-0002,M-1,Pilot', 'RGT-0002,,-');
  expect(cells(await changer.call(deviceChangeCalls.check, { file: changes }))).toEqual([
    '2 device.groups FORBIDDEN',
    '3 device.sn SHEET_TWICE',
    '3 device.groups FORBIDDEN',
  ]);
});

test('rights that were lost before the job came to it set nothing', async () => {
  const person = await app.person(
    await roleWith('loses', ['device', 'device:device:page', 'device:device:add', 'device:group:update']),
    bank,
  );
  const file = await csv(person, 'SN,Groups', 'RGT-0003,Pilot');
  expect((await person.call(deviceImportCalls.check, { file, productId })).good).toBe(1);
  const { work } = await person.call(deviceImportCalls.import, { file, productId, mode: 'all' });
  await app.context.unscoped((db) =>
    sql`update access_role set menus = array_remove(menus, 'device:group:update') where code = 'loses'`.execute(db),
  );
  expect(await ended(app, person, work)).toMatchObject({ state: 'failed', reason: 'SHEET_REFUSED' });
});

test('the templates have no columns that nothing may be written into', async () => {
  const headerFor = async (client: Client, url: string, input: object) => {
    const answer = await app.http.inject({
      method: 'POST',
      url,
      headers: {
        authorization: client.token,
        'accept-platform': 'centre',
        'accept-deptid': '0',
        'accept-language': 'en',
        'content-type': 'application/json',
      },
      payload: JSON.stringify(input),
    });
    for await (const row of readXlsx(answer.rawPayload)) return row;
    return [];
  };
  const ofAdder = await headerFor(adder, '/ops/device/batchImport/template', { productId });
  expect(ofAdder).toContain('Tags');
  expect(ofAdder).not.toContain('Merchant number');
  expect(ofAdder).not.toContain('Groups');
  const ofChanger = await headerFor(changer, '/ops/device/batchUpdate/template', {});
  expect(ofChanger).toContain('Merchant number');
  expect(ofChanger).not.toContain('Groups');
});

test('a group by rule has whom its text finds by SN or name, and no others', async () => {
  const file = await csv(manager, 'SN,PN', 'RUL-0001,ZZ-PILOT');
  const { work } = await manager.call(deviceImportCalls.import, { file, productId, mode: 'all' });
  await ended(app, manager, work);
  const rule = { text: 'ZZ-PILOT' };
  expect((await manager.call(deviceCalls.page, { criteria: rule, page: {} })).content).toHaveLength(1);
  expect(await manager.call(deviceGroupCalls.preview, { deptId: bank.id, rule })).toMatchObject({ total: 0 });
});
