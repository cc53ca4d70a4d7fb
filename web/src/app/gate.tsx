import type { Platform } from '@mooring/contract/kit/call';
import type { ReactNode } from 'react';
import { Brand } from '../kit/brand.tsx';
import { messageOf } from '../kit/client.ts';
import { LanguageMenu, ThemeMenu } from '../kit/look-menus.tsx';
import { session } from '../kit/session.ts';
import { go } from '../kit/view.ts';
import { Button } from '../ui/button.tsx';
import { Empty, ErrorState, Loading } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { toast } from '../ui/toast.tsx';
import { useT } from '../ui/words.ts';
import { cross, type Entry, enter, signOut } from './entry.ts';
import { entrances } from './routes.ts';

/** A page without the menu: what stands between the door and the console. */
export function Gate({ children, acts }: { children: ReactNode; acts?: ReactNode }) {
  return (
    <div className="m-gate">
      <header className="m-row">
        <Brand />
        <span className="m-grow" />
        <LanguageMenu />
        <ThemeMenu />
        {acts}
      </header>
      <main>{children}</main>
    </div>
  );
}

export function Entering() {
  return (
    <Loading>
      <div className="m-entering">
        <Brand large />
      </div>
    </Loading>
  );
}

/** Without a menu nothing leads on by itself: the address of the other platform first, then its entry. */
const over = (other: Platform) => {
  go(entrances[other]);
  cross(other).catch((error: unknown) => toast('error', messageOf(error)));
};
export const out = () => void signOut().then(() => go('/login'));

/** Registered and not let in yet: how that stands, and the way out. */
export function Waiting({ children }: { children: ReactNode }) {
  const t = useT();
  return <Gate acts={<Button onClick={out}>{t('shell.signOut')}</Button>}>{children}</Gate>;
}

export function EntryFailed({ failed }: { failed: Extract<Entry, { state: 'failed' }> }) {
  const t = useT();
  const { user } = useStore(session);
  const other = user?.platforms.find((one) => one !== failed.platform);
  const acts = (
    <>
      <Button onClick={out}>{t('shell.signOut')}</Button>
      {other ? <Button onClick={() => over(other)}>{t('shell.cross', { platform: t(`platform.${other}`) })}</Button> : null}
    </>
  );
  if (failed.noMenu)
    return (
      <Gate>
        <Empty level={1} icon="lock" title={t('shell.noMenu.title')} text={t('shell.noMenu.text')}>
          {acts}
        </Empty>
      </Gate>
    );
  return (
    <Gate>
      <ErrorState
        level={1}
        title={t('shell.entry.failed')}
        text={failed.message}
        requestId={failed.requestId}
        onRetry={() => void enter(failed.platform)}
      >
        {acts}
      </ErrorState>
    </Gate>
  );
}
