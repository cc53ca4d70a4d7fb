// Uploads a firmware file and releases it to every terminal of a product.
//   npx openapi-typescript http://127.0.0.1:8080/docs/openapi.json -o mooring.ts
//   MOORING=http://127.0.0.1:8080 TOKEN=mtk_… node release.ts A920 2.0.0 firmware.bin
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import createClient from 'openapi-fetch';
import type { paths } from './mooring.ts';

const { MOORING: baseUrl = 'http://127.0.0.1:8080', TOKEN = '' } = process.env;
const [code = '', version = '', path = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${TOKEN}`, 'accept-language': 'en' } });
// Products are managed on one platform, and released to terminals on the other; one token may act on both.
const manager = { 'Accept-Platform': 'manager', 'Accept-Deptid': 1 } as const;
const centre = { 'Accept-Platform': 'centre', 'Accept-Deptid': 0 } as const;

/** An answer is done where its code is 200, and otherwise a refusal with a name and a sentence. */
type Told<D> =
  | { code: 200; body: D }
  | { code: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 503; body: { fault: string }; message: string };
function bodyOf<D>({ data, error }: { data?: Told<D>; error?: Told<D> }): D {
  const told = data ?? error;
  if (told?.code === 200) return told.body;
  throw new Error(told ? `${told.body.fault}: ${told.message}` : 'no answer');
}

const products = bodyOf(
  await client.POST('/ops/product/page', {
    params: { header: manager },
    body: { criteria: { text: code }, page: { number: 1, size: 10 } },
  }),
);
const product = products.content.find((one) => one.code === code);
if (!product) throw new Error(`There is no product ${code}.`);

const bytes = readFileSync(path);
const info = { type: '5', identifier: createHash('md5').update(bytes).digest('hex') } as const;
const file = bodyOf(
  await client.POST('/ops/file/upFiwFile', {
    params: { header: centre },
    body: { req: info, file: '' },
    bodySerializer({ req }) {
      const form = new FormData();
      form.append('req', JSON.stringify(req));
      form.append('file', new Blob([bytes]), basename(path));
      return form;
    },
  }),
);

const added = bodyOf(
  await client.POST('/ops/api/fotaUppackage/add', {
    params: { header: centre },
    body: { productId: product.id, version, fileId: file.id },
  }),
);
bodyOf(await client.POST('/ops/api/fotaUppackage/publish', { params: { header: centre }, body: { id: added.id } }));
const task = bodyOf(
  await client.POST('/ops/api/fotaUptask/add', {
    params: { header: centre },
    body: { name: `${code} ${version}`, packageId: added.id, scope: { releaseScope: '0' }, release: true },
  }),
);
console.log(JSON.stringify({ task: task.id, created: task.createdAt }));
