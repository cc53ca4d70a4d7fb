import { createHash } from 'node:crypto';
import { regCalls } from '@mooring/contract/device/reg-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { type Api, api, signIn } from './api.ts';

/** A published product and a code that lets `count` terminals in, made by the administrator. */
export async function makeEstate(
  url: string,
  centre: Api,
  password: string,
  count: number,
  heartbeatSeconds = 30,
): Promise<{ productId: number; code: string }> {
  const manager = api(url, await signIn(url, 'admin', password, 'manager'), 'manager', 1);
  const product = await manager.call(productCalls.add, {
    code: 'A920',
    name: 'Smart POS A920',
    category: 'smartPos',
    heartbeatSeconds,
  });
  await manager.call(productCalls.publish, { id: product.id });
  const { code } = await centre.call(regCalls.code, { deptId: 1, productId: product.id, maxUses: count, hours: 24 });
  return { productId: product.id, code };
}

/** A stored file of a kind, by its id. */
export async function uploadFile(
  url: string,
  password: string,
  type: string,
  name: string,
  bytes: Buffer,
  account = 'admin',
): Promise<number> {
  const form = new FormData();
  form.append('req', JSON.stringify({ type, identifier: createHash('md5').update(bytes).digest('hex') }));
  form.append('file', new Blob([Uint8Array.from(bytes)]), name);
  const headers = { authorization: await signIn(url, account, password), 'accept-platform': 'centre', 'accept-deptid': '0' };
  const answer = await fetch(`${url}/ops${fileCalls.direct.path}`, { method: 'POST', headers, body: form });
  return ((await answer.json()) as { body: { id: number } }).body.id;
}

export const uploadFirmware = (url: string, password: string, bytes: Buffer): Promise<number> =>
  uploadFile(url, password, '5', 'fw.bin', bytes);
