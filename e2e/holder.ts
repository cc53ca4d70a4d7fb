import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { type Api, settleIn } from './api.ts';

interface Holder {
  readonly account: string;
  readonly name: string;
  /** The role that they hold, and no other: its name. */
  readonly role: string;
  readonly deptId: number;
}
/** Somebody who holds just one role that comes with the product, and has chosen the journeys' password. */
export async function addHolder(url: string, managing: Api, { account, name, role, deptId }: Holder): Promise<void> {
  const found = (await managing.call(roleCalls.page, { criteria: { text: role } })).content.find(({ name: called }) => called === role);
  if (!found) throw new Error(`no role ${role}`);
  const { password } = await managing.call(memberCalls.add, { account, userName: name, deptId, roleIds: [found.id] });
  await settleIn(url, account, password ?? '');
}
