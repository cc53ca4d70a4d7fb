import { loginCalls } from '@mooring/contract/auth/calls';
import type { TextKey } from '@mooring/contract/texts';
import { api } from '../../kit/client.ts';
import { keepToken, session, signedIn } from '../../kit/session.ts';
import { go } from '../../kit/view.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from '../../ui/words.ts';

/** Through the usual door with what was just chosen; whatever it asks besides is asked on its own page. */
export async function enterAs(account: string, password: string, said: TextKey): Promise<void> {
  toast('done', t(said));
  try {
    const answer = await api(loginCalls.account, { account, password, platform: session.get().platform }, { hidden: true });
    if (answer.token) {
      keepToken(answer.platform, answer.token);
      await signedIn(answer.platform);
      return go('/', { replace: true });
    }
  } catch {
    // The door says why, once it is tried there.
  }
  go('/login', { replace: true });
}
