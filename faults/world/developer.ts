import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { developerCalls } from '@mooring/contract/app/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { ADMIN, type Api, api, settleIn, signIn } from '../../e2e/api.ts';

export interface Developer {
  /** Who reviews what comes from there. */
  readonly reviewer: Api;
  readonly token: string;
}

const MARKET = 2;
const ACCOUNT = 'dora.developer';

/** An organisation that may make apps, and who signs in for it. */
export async function makeDeveloper(url: string, admin: Api): Promise<Developer> {
  const { id: deptId } = await admin.call(deptCalls.add, { parentId: MARKET, name: 'Till makers' });
  const roles = (await admin.call(roleCalls.page, { criteria: { text: 'Organisation manager' } })).content.map(({ id }) => id);
  const { password } = await admin.call(memberCalls.add, { account: ACCOUNT, userName: 'Dora Lindqvist', deptId, roleIds: roles });
  await settleIn(url, ACCOUNT, password ?? '');
  const token = await signIn(url, ACCOUNT, ADMIN);
  const applied = await api(url, token, 'centre').call(developerCalls.apply, { contactName: 'Dora Lindqvist', email: 'dora@example.com' });
  await admin.call(developerCalls.accept, { id: applied.id });
  return { reviewer: admin, token };
}
