import type { PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import type { Api } from './api.ts';
import { waitFor } from './stack.ts';

type Calls = Pick<PackageCalls, 'add' | 'detail'>;

/** Adds a package and publishes it: a job, which asks each place for it. */
export async function addPublished(admin: Api, packages: Calls, input: object): Promise<number> {
  const { id } = await admin.call(packages.add, { ...input, publish: true } as never);
  await whenPublished(admin, packages, id);
  return id;
}

export const whenPublished = (admin: Api, packages: Pick<Calls, 'detail'>, id: number): Promise<unknown> =>
  waitFor(async () => (await admin.call(packages.detail, { id })).publishState === '1', 'the package to be published');
