import type { userCalls } from '@mooring/contract/account/calls';
import type { Call, OutputOf, Platform } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import { createStore, useStore } from '../ui/store.ts';
import { local, tab } from './storage.ts';

export type UserInfo = OutputOf<typeof userCalls.info>;

/** One token per platform in the browser; platform and organisation belong to the tab. */
export interface Session {
  readonly platform: Platform;
  /** Unknown until the entry has found it; calls made before are for one's own organisation. */
  readonly deptId: number | undefined;
  readonly user: UserInfo | undefined;
  readonly held: ReadonlySet<string>;
}

const storedPlatform = tab.get('platform') ?? local.get('platform');
export const session = createStore<Session>({
  platform: storedPlatform === 'manager' ? 'manager' : 'centre',
  deptId: undefined,
  user: undefined,
  held: new Set(),
});

export const tokenOf = (platform: Platform = session.get().platform): string | undefined => local.get(`token.${platform}`);
export const keepToken = (platform: Platform, token: string | undefined): void => local.set(`token.${platform}`, token);

export function choosePlatform(platform: Platform): void {
  tab.set('platform', platform);
  local.set('platform', platform);
  session.set((now) => (now.platform === platform ? now : { ...now, platform }));
}

/** The organisation that this tab acted for, on whichever platform. */
export const keptDept = (): number => Number(tab.get('dept') ?? 0);

export function chooseDept(deptId: number | undefined): void {
  if (deptId !== undefined) tab.set('dept', String(deptId));
  session.set((now) => (now.deptId === deptId ? now : { ...now, deptId }));
}

export function welcomeUser(user: UserInfo | undefined): void {
  session.set((now) => ({ ...now, user, held: new Set(user?.permissions ?? []) }));
}

export const mayCall = (call: Pick<Call, 'can' | 'platform'> | undefined, now: Session = session.get()): boolean =>
  call === undefined || ((call.platform === undefined || call.platform === now.platform) && isAllowed(now.held, call.can));

export const useSession = (): Session => useStore(session);

/** What the shell does when a session has ended; set once by the shell. */
let whenEnded: () => void = () => {};
export const onSessionEnded = (act: () => void): void => {
  whenEnded = act;
};
/** What the shell does with a new session: the entry steps of its platform; set once by the shell. */
let whenBegun: (platform: Platform) => Promise<void> = async () => {};
export const onSignedIn = (act: typeof whenBegun): void => {
  whenBegun = act;
};
export const signedIn = (platform: Platform): Promise<void> => whenBegun(platform);

export function endSession(): void {
  keepToken(session.get().platform, undefined);
  welcomeUser(undefined);
  whenEnded();
}
