import { menuCalls, type NavNode } from '@mooring/contract/access/calls';
import { userCalls } from '@mooring/contract/account/calls';
import { loginCalls, signInCalls } from '@mooring/contract/auth/calls';
import type { OutputOf, Platform } from '@mooring/contract/kit/call';
import { type DeptBrief, deptCalls } from '@mooring/contract/org/calls';
import { settingCalls } from '@mooring/contract/settings/calls';
import { api, messageOf } from '../kit/client.ts';
import { loadCountries } from '../kit/countries.ts';
import { hasChosen, loadTexts, speak, storedLanguage } from '../kit/language.ts';
import { joinLive, leaveLive } from '../kit/live.ts';
import { isCallError } from '../kit/outcome.ts';
import { queryClient, remember } from '../kit/queries.ts';
import { chooseDept, choosePlatform, keepToken, keptDept, session, tokenOf, type UserInfo, welcomeUser } from '../kit/session.ts';
import { createStore } from '../ui/store.ts';
import { speech } from '../ui/words.ts';
import { shownMenu } from './menu.ts';

type ProjectConfig = OutputOf<typeof settingCalls.projectConfig>;

export type Entry =
  | { readonly state: 'out'; readonly ended?: boolean }
  | { readonly state: 'entering'; readonly platform: Platform }
  | { readonly state: 'password'; readonly platform: Platform; readonly reason: 'first' | 'weak' }
  | { readonly state: 'mfa'; readonly platform: Platform }
  /** Registered and not let in yet: one page, and nothing else. */
  | { readonly state: 'wait'; readonly platform: Platform; readonly path: string }
  | {
      readonly state: 'failed';
      readonly platform: Platform;
      readonly message: string;
      readonly noMenu: boolean;
      readonly requestId: string | undefined;
    }
  | {
      readonly state: 'in';
      readonly platform: Platform;
      readonly nav: readonly NavNode[];
      /** As the server gave it. */
      readonly given: readonly NavNode[];
      readonly depts: readonly DeptBrief[];
      readonly config: ProjectConfig | undefined;
    };

export const entry = createStore<Entry>({ state: 'out' });

/** Which organisation a tab begins with (specification, section 2, entry step 4). A reload keeps the tab's own. */
export function firstDept(
  platform: Platform,
  user: Pick<UserInfo, 'userCategory' | 'relateDept'>,
  depts: readonly Pick<DeptBrief, 'id'>[],
  kept: number,
): number {
  if (platform === 'centre') return 0;
  if (depts.some((dept) => dept.id === kept)) return kept;
  const managed = user.userCategory === '1' ? depts[0]?.id : undefined;
  return managed ?? user.relateDept.deptId;
}

export const mustChange = (user: Pick<UserInfo, 'pwdDefFlag' | 'pwdPatternCheck' | 'pwdExpireCheck'>): 'first' | 'weak' | undefined =>
  user.pwdDefFlag ? 'first' : !user.pwdPatternCheck || !user.pwdExpireCheck ? 'weak' : undefined;

const mustBind = (user: Pick<UserInfo, 'mfaStatus' | 'mfaBindStatus'>): boolean => user.mfaStatus === '2' && user.mfaBindStatus !== '1';

let turn = 0;

/** The entry steps of a platform, from its token to its menu. */
export async function enter(platform: Platform): Promise<void> {
  const mine = ++turn;
  const current = () => mine === turn;
  if (!tokenOf(platform)) return entry.set({ state: 'out' });
  choosePlatform(platform);
  entry.set({ state: 'entering', platform });
  void loadCountries();
  // Until the organisation is known, every call is made for one's own, those of a forced password change too.
  const kept = keptDept();
  chooseDept(undefined);
  const own = { hidden: true, platform };
  const navOf = (deptId: number) => api(menuCalls.nav, { menuType: platform }, { hidden: true, platform, deptId });
  // What needs no answer before it is asked for together: a far server is reached once instead of three times.
  const configAsked = api(settingCalls.projectConfig, {}, own).catch(() => undefined);
  const early = platform === 'centre' ? navOf(0) : undefined;
  early?.catch(() => {});
  try {
    const user = await api(userCalls.info, {}, own);
    if (!current()) return;
    welcomeUser(user);
    if (user.timeZone) speech.set((now) => ({ ...now, timeZone: user.timeZone ?? now.timeZone }));
    if (user.language && !hasChosen() && user.language !== storedLanguage()) void speak(user.language).catch(() => {});
    if (user.waiting) return entry.set({ state: 'wait', platform, path: `/wating/${user.waiting.kind}` });
    const reason = mustChange(user);
    if (reason) return entry.set({ state: 'password', platform, reason });
    if (mustBind(user)) return entry.set({ state: 'mfa', platform });
    const depts = platform === 'manager' ? await api(deptCalls.managed, {}, own) : [];
    const deptId = firstDept(platform, user, depts, kept);
    const nav = await (early ?? navOf(deptId));
    const config = await configAsked;
    if (!current()) return;
    chooseDept(deptId);
    remember(menuCalls.nav, { platform, deptId }, { menuType: platform }, nav);
    if (platform === 'manager') remember(deptCalls.managed, { platform, deptId }, {}, depts);
    entry.set({ state: 'in', platform, nav: shownMenu(nav), given: nav, depts, config });
    joinLive();
  } catch (error) {
    if (!current()) return;
    const failure = isCallError(error) ? error : undefined;
    if (failure?.code === 401) return;
    // Said in words, which may be on their way still.
    await loadTexts();
    if (!current()) return;
    if (failure?.fault === 'PASSWORD_CHANGE_REQUIRED') return entry.set({ state: 'password', platform, reason: 'first' });
    if (failure?.fault === 'MFA_BIND_REQUIRED') return entry.set({ state: 'mfa', platform });
    entry.set({
      state: 'failed',
      platform,
      message: messageOf(error),
      noMenu: failure?.fault === 'NO_MENU',
      requestId: failure?.requestId,
    });
  }
}

/** Forgets the session in this tab; what the caches hold belonged to it. */
export function leave(ended = false): void {
  turn++;
  leaveLive();
  queryClient.clear();
  entry.set({ state: 'out', ended });
}

export async function signOut(): Promise<void> {
  const { platform } = session.get();
  await api(signInCalls.logout, {}, { hidden: true }).catch(() => {});
  keepToken(platform, undefined);
  welcomeUser(undefined);
  leave();
}

/** Goes over to the other platform: with its own token if there is one, else the present one is exchanged. */
export async function cross(platform: Platform): Promise<void> {
  if (!tokenOf(platform)) {
    const made = await api(loginCalls.cross, { platform }, { hidden: true });
    keepToken(platform, made.token);
  }
  leaveLive();
  queryClient.clear();
  await enter(platform);
}

export function switchDept(deptId: number): void {
  chooseDept(deptId);
  joinLive();
}
