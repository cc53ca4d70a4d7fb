import { userCalls } from '@mooring/contract/account/calls';
import { speech } from '../ui/words.ts';
import { api } from './client.ts';
import { welcomeUser } from './session.ts';

/** Reads anew who is signed in, after they changed something about themselves. */
export async function reloadUser(): Promise<void> {
  const user = await api(userCalls.info, {}, { hidden: true });
  welcomeUser(user);
  const zone = user.timeZone;
  if (zone) speech.set((now) => ({ ...now, timeZone: zone }));
}
