import { menuCalls, type NavNode } from '@mooring/contract/access/calls';
import { userCalls } from '@mooring/contract/account/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { useEffect } from 'react';
import { api } from '../kit/client.ts';
import { joinLive } from '../kit/live.ts';
import { useCall } from '../kit/queries.ts';
import { chooseDept, session, welcomeUser } from '../kit/session.ts';
import { type Entry, enter, entry, firstDept } from './entry.ts';
import { shownMenu } from './menu.ts';

type Entered = Extract<Entry, { state: 'in' }>;

/**
 * A changed role, a new unit or an ended trusteeship works in an open tab at once: the server touches its group, and this asks anew. Who may no longer act
 * for the organisation of the tab begins again with one of their own.
 */
export function useFollowRights({ platform, given, depts }: Entered): void {
  const nav = useCall(menuCalls.nav, { menuType: platform });
  const managed = useCall(deptCalls.managed, {}, { enabled: platform === 'manager' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers keep their identity until they differ
  useEffect(() => {
    if (nav.data && (nav.data !== given || (managed.data ?? depts) !== depts)) void takeOver(platform, nav.data, managed.data ?? depts);
  }, [nav.data, managed.data]);
  const refused = nav.error?.fault === 'DEPT_REFUSED' || nav.error?.fault === 'NO_MENU';
  useEffect(() => {
    if (refused) void enter(platform);
  }, [refused, platform]);
}

let turn = 0;
/** Two changes may be answered in another order: the later one's answer counts. */
async function takeOver(platform: Entered['platform'], nav: readonly NavNode[], depts: Entered['depts']): Promise<void> {
  const mine = ++turn;
  const user = await api(userCalls.info, {}, { hidden: true }).catch(() => undefined);
  const now = entry.get();
  if (!user || mine !== turn || now.state !== 'in' || now.platform !== platform) return;
  welcomeUser(user);
  entry.set({ ...now, nav: shownMenu(nav), given: nav, depts });
  const { deptId } = session.get();
  const next = firstDept(platform, user, depts, deptId ?? 0);
  if (next === deptId) return;
  chooseDept(next);
  joinLive();
}
