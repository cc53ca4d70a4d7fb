import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { listApp } from '../../e2e/list-app.ts';
import type { Round, Sent } from './sent.ts';

const packageName = 'com.example.till';

/** A version from its developer over its review to all terminals. */
export async function softApp(of: Round): Promise<Sent> {
  const { url, productId, console, developer } = of.world;
  const versionCode = 10 + of.round;
  const { reviewer: admin, token } = developer;
  const appId = await listApp({ url, admin, token, productId, packageName, versionCode, versionName: `1.${of.round}` });
  const versions = await console.insist(appVersionCalls.page, { criteria: { appId }, page: { size: 200 } });
  const versionId = versions.content.find((one) => one.versionCode === versionCode)?.id;
  const { id: taskId } = await console.insist(softAppTaskCalls.add, { ...of.input, content: { action: 'install', versionId } });
  return { kind: 'softApp', taskId, holds: ({ apps }) => apps[packageName] === versionCode };
}
