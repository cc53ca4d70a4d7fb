import type { Platform } from '@mooring/contract/kit/call';
import { lazy, Suspense, useState } from 'react';
import { languages } from '../kit/language.ts';
import { liveState } from '../kit/live.ts';
import { LanguageMenu, languageItems, lookItems, ThemeMenu } from '../kit/look-menus.tsx';
import { useSession } from '../kit/session.ts';
import { go } from '../kit/view.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { look } from '../ui/look.ts';
import { useNarrow } from '../ui/media.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { useStore } from '../ui/store.ts';
import { speech, useT } from '../ui/words.ts';
import { Bell } from './bell.tsx';
import { type Entry, signOut, switchDept } from './entry.ts';
import { entrances } from './routes.ts';

/** Comes when it is asked for, and stays then: it closes by itself. */
const About = lazy(() => import('./about.tsx').then((found) => ({ default: found.About })));
const PasswordDialog = lazy(() => import('./password-dialog.tsx').then((found) => ({ default: found.PasswordDialog })));

type In = Extract<Entry, { state: 'in' }>;

interface TopbarProps {
  entered: In;
  /** What the first button does with the menu. */
  menu: 'open' | 'expand' | 'collapse';
  onMenu: () => void;
  onPalette: () => void;
  onHelp: () => void;
}
export function Topbar({ entered, menu, onMenu, onPalette, onHelp }: TopbarProps) {
  const t = useT();
  const narrow = useNarrow();
  const { platform, user } = useSession();
  return (
    <header className="m-topbar">
      <IconButton icon="menu" label={t(`shell.menu.${menu}`)} onClick={onMenu} />
      <PlatformSwitch platform={platform} platforms={user?.platforms ?? []} />
      <button
        type="button"
        className="m-plain m-topbar-search"
        onClick={onPalette}
        {...(narrow ? { 'aria-label': t('shell.search') } : {})}
      >
        <Icon name="search" />
        {narrow ? null : (
          <>
            <span className="m-grow">{t('shell.search')}</span>
            <span className="m-kbd" aria-hidden="true">
              Ctrl K
            </span>
          </>
        )}
      </button>
      <span className="m-grow" />
      <LiveMark />
      <Organisation entered={entered} />
      {narrow ? null : (
        <>
          <LanguageMenu />
          <ThemeMenu />
        </>
      )}
      {narrow ? null : <IconButton icon="help" label={t('shell.help')} onClick={onHelp} />}
      <Bell />
      <UserMenu config={entered.config} onHelp={onHelp} />
    </header>
  );
}

/** Which of the two platforms this is, always to be seen; who works on both changes it here. */
function PlatformSwitch({ platform, platforms }: { platform: Platform; platforms: readonly Platform[] }) {
  const t = useT();
  const name = t(`platform.${platform}`);
  if (platforms.length < 2) return <span className="m-topbar-platform m-clip">{name}</span>;
  return (
    <MenuButton
      items={platforms.map((one) => ({
        key: one,
        label: t(`platform.${one}`),
        checked: one === platform,
        onClick: () => one !== platform && go(entrances[one]),
      }))}
    >
      <Button look="quiet" icon="swap" of={t('auth.platform')}>
        {name}
      </Button>
    </MenuButton>
  );
}

function LiveMark() {
  const t = useT();
  const state = useStore(liveState);
  if (state !== 'lost') return null;
  return (
    <span className="m-live-lost m-row" role="status" title={t('shell.live.lost')}>
      <Icon name="retry" label={t('shell.live.lost')} className="m-spin" />
    </span>
  );
}

function Organisation({ entered }: { entered: In }) {
  const t = useT();
  const { deptId, user } = useSession();
  if (entered.platform === 'centre')
    return (
      <span className="m-topbar-dept m-muted m-clip" title={t('shell.dept.all')}>
        {user?.relateDept.deptName}
      </span>
    );
  if (entered.depts.length < 2)
    return <span className="m-topbar-dept m-muted m-clip">{entered.depts[0]?.name ?? user?.relateDept.deptName}</span>;
  return (
    <span className="m-topbar-switch">
      <Select
        label={t('shell.dept.switch')}
        value={deptId}
        onChange={(next) => next !== undefined && switchDept(next)}
        options={entered.depts.map((dept) => ({ value: dept.id, label: dept.name }))}
      />
    </span>
  );
}

/** The project's own sites, where the settings name them; in tabs of their own. */
const sitesOf = (config: In['config'], t: ReturnType<typeof useT>) =>
  (
    [
      ['support', config?.supportWebUrl, t('shell.support')],
      ['afterSales', config?.afterSalesUrl, t('shell.afterSales')],
    ] as const
  ).flatMap(([key, url, label]) => (url ? [{ key, label, onClick: () => void window.open(url, '_blank', 'noopener,noreferrer') }] : []));

function UserMenu({ config, onHelp }: { config: In['config']; onHelp: () => void }) {
  const t = useT();
  const narrow = useNarrow();
  const { user, platform } = useSession();
  const now = useStore(look);
  const known = useStore(languages);
  const { lang } = useStore(speech);
  const [open, setOpen] = useState<'about' | 'password'>();
  const [about, setAbout] = useState(false);
  const showAbout = () => {
    setAbout(true);
    setOpen('about');
  };
  const name = user?.userName || user?.account || '';
  return (
    <>
      <MenuButton
        align="end"
        items={[
          {
            key: 'account',
            label: t('account.title'),
            icon: 'user',
            onClick: () => go(platform === 'centre' ? '/account' : '/managerAccount'),
          },
          {
            key: 'security',
            label: t('account.security'),
            icon: 'safe',
            onClick: () => go(platform === 'centre' ? '/accountSetting' : '/manager/accountSetting'),
          },
          { key: 'password', label: t('shell.changePassword'), icon: 'key', onClick: () => setOpen('password') },
          ...(narrow ? lookItems(t, now).map((item, at) => (at === 0 ? { ...item, apart: true } : item)) : []),
          ...(narrow ? languageItems(known, lang) : []),
          ...(narrow ? [{ key: 'help', label: t('shell.help'), icon: 'help' as const, apart: true, onClick: onHelp }] : []),
          ...sitesOf(config, t),
          { key: 'about', apart: narrow, label: t('shell.about'), icon: 'about', onClick: showAbout },
          { key: 'out', label: t('shell.signOut'), icon: 'signOut', apart: true, onClick: () => void signOut().then(() => go('/login')) },
        ]}
      >
        {narrow ? (
          <IconButton icon="user" label={t('shell.user', { name })} />
        ) : (
          <Button look="quiet" icon="user">
            {name}
          </Button>
        )}
      </MenuButton>
      {about ? (
        <Suspense fallback={null}>
          <About open={open === 'about'} onClose={() => setOpen(undefined)} />
        </Suspense>
      ) : null}
      {open === 'password' ? (
        <Suspense fallback={null}>
          <PasswordDialog open onClose={() => setOpen(undefined)} />
        </Suspense>
      ) : null}
    </>
  );
}
