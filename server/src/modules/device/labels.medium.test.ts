import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let banker: Client;
let rival: Client;
let ids: readonly number[];
beforeAll(async () => {
  app = await testApp();
  const bank = await app.dept('Harbour Bank');
  banker = await app.person('orgManager', bank);
  rival = await app.person('orgManager', await app.dept('Meridian Payments'));
  const productId = await makeProduct(app, { id: 2, path: '1.2.' });
  ids = await makeDevices(
    app,
    bank,
    productId,
    Array.from({ length: 501 }, (_, at) => `LABEL${String(at).padStart(4, '0')}`),
  );
});
afterAll(() => app.stop());

const asked = ({ token }: Client, of: object) =>
  app.http.inject({
    method: 'POST',
    url: `/ops${deviceCalls.labels.path}`,
    headers: { authorization: token, 'accept-platform': 'centre' },
    payload: { of },
  });
const pagesOf = (bytes: Buffer) => bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

test('labels of the chosen terminals come as one document; foreign ones aren’t in it, and too many are refused', async () => {
  const own = await asked(banker, { ids: ids.slice(0, 30) });
  expect(own.headers['content-type']).toBe('application/pdf');
  expect(pagesOf(own.rawPayload)).toBe(2);
  const filtered = await asked(banker, { criteria: { text: 'LABEL00' }, except: [ids[0]] });
  expect(pagesOf(filtered.rawPayload)).toBe(Math.ceil(99 / 24));
  // An empty sheet is nobody's wish: what is gone, or another's, is said so.
  expect((await asked(rival, { ids: ids.slice(0, 30) })).json()).toMatchObject({ body: { fault: 'NOT_FOUND' } });
  expect((await asked(banker, { criteria: { text: 'NOSUCHTERMINAL' }, except: [] })).json()).toMatchObject({
    body: { fault: 'NOT_FOUND' },
  });
  expect((await asked(banker, { criteria: {}, except: [] })).json()).toMatchObject({ body: { fault: 'LABELS_MANY' } });
});

test('a release is given the SNs of what was chosen, in order, and never another’s', async () => {
  const named = await banker.call(deviceCalls.serials, { of: { ids: [ids[2], ids[0], ids[1]] as number[] } });
  expect(named.sns).toEqual(['LABEL0000', 'LABEL0001', 'LABEL0002']);
  const filtered = await banker.call(deviceCalls.serials, { of: { criteria: { text: 'LABEL00' }, except: [ids[0] as number] } });
  expect(filtered.sns).toHaveLength(99);
  expect((await banker.call(deviceCalls.serials, { of: { criteria: {}, except: [] } })).sns).toHaveLength(501);
  for (const [person, of] of [
    [rival, { ids: ids.slice(0, 3) }],
    [banker, { criteria: { text: 'NOSUCHTERMINAL' }, except: [] }],
  ] as const) {
    expect(await person.send(deviceCalls.serials, { of })).toMatchObject({ body: { fault: 'NOT_FOUND' } });
  }
});

test('more than a release names one by one is said, with what to do instead', async () => {
  const many = await app.dept('Many Terminals');
  const person = await app.person('orgManager', many);
  await app.context.unscoped((db) =>
    sql`
    insert into device (sn, name, status, product_id, dept_id, dept_path)
    select 'MANY' || n, 'MANY' || n, '2', d.product_id, ${many.id}, ${many.path}
    from generate_series(1, 20001) n, (select product_id from device where id = ${ids[0]}) d`.execute(db),
  );
  const answer = await person.send(deviceCalls.serials, { of: { criteria: {}, except: [] } });
  expect(answer).toMatchObject({ body: { fault: 'SNS_MANY' } });
  expect(answer.message).toContain('20,000');
});
