import { makeApk } from '@mooring/apk/apk.factory';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { type Api, api } from './api.ts';
import { waitFor } from './stack.ts';

interface Listed {
  readonly url: string;
  readonly admin: Api;
  /** Of its developer's session. */
  readonly token: string;
  readonly productId: number;
  readonly packageName: string;
  readonly versionCode: number;
  readonly versionName: string;
  readonly files?: Readonly<Record<string, Uint8Array>>;
}
/** A version from its developer to the catalogue, by calls: what that looks like is another journey's. Answers its app. */
export async function listApp({
  url,
  admin,
  token,
  productId,
  packageName,
  versionCode,
  versionName,
  files = {},
}: Listed): Promise<number> {
  const bytes = await makeApk({ packageName, versionCode, versionName, labels: { '': 'Till' }, minSdk: 24, files });
  const form = new FormData();
  form.append('req', JSON.stringify({ channel: 'release' }));
  form.append('file', new Blob([Uint8Array.from(bytes)]), `till-${versionCode}.apk`);
  const answer = await fetch(`${url}/ops${appVersionCalls.upload.path}`, {
    method: 'POST',
    headers: { authorization: token, 'accept-platform': 'centre', 'accept-deptid': '0' },
    body: form,
  });
  const { body: made } = (await answer.json()) as { body: { id: number; appId: number; revision: number; listing: never } };
  const { id, appId, listing } = made;
  const developer = api(url, token, 'centre');
  const saved = await developer.call(appVersionCalls.update, { id, revision: made.revision, listing, productIds: [productId] });
  const { contentHash } = await developer.call(appVersionCalls.submit, { id, revision: saved.revision });
  await admin.call(appVersionCalls.approve, { id, contentHash, marketId: 1 });
  await waitFor(async () => (await admin.call(appVersionCalls.detail, { id })).publishState === '1', 'the version to be listed');
  return appId;
}
