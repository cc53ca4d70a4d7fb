import { menuCalls } from '@mooring/contract/access/calls';
import { footprintCalls } from '@mooring/contract/audit-log/calls';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useBrand } from '../kit/brand.tsx';
import { api, network } from '../kit/client.ts';
import { Link } from '../kit/link.tsx';
import { useCall } from '../kit/queries.ts';
import type { RouteSpec } from '../kit/route.ts';
import { local } from '../kit/storage.ts';
import type { View } from '../kit/view.ts';
import { viewNames } from '../kit/view-name.ts';
import { Button } from '../ui/button.tsx';
import { Drawer } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { useMedia, useNarrow } from '../ui/media.ts';
import { Note } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { StayingToasts } from '../ui/toast.tsx';
import { useLooseT, useT } from '../ui/words.ts';
import { Downloads } from './downloads.tsx';
import type { Entry } from './entry.ts';
import { useFollowRights } from './follow-rights.ts';
import { addressIn } from './match.ts';
import { activePage } from './menu.ts';
import { MfaOffer } from './mfa-offer.tsx';
import { Palette } from './palette.tsx';
import { visit } from './recent.ts';
import { isPublic } from './routes.ts';
import { Sidebar } from './sidebar.tsx';
import { Topbar } from './topbar.tsx';

/** Comes when it is asked for: nobody waits for it at the first page. */
const HelpDrawer = lazy(() => import('../features/help/help-drawer.tsx').then((found) => ({ default: found.HelpDrawer })));

interface ShellProps {
  entered: Extract<Entry, { state: 'in' }>;
  route: RouteSpec;
  view: View;
  children: ReactNode;
}

/** Without an owner a figure isn't asked for; the others come with one call and stay live. */
function useCounts(): Readonly<Record<string, number>> {
  return useCall(menuCalls.counts, {}, { every: 60 }).data ?? {};
}

export function Shell({ entered, route, view, children }: ShellProps) {
  const t = useT();
  const brand = useBrand();
  const narrow = useNarrow();
  const medium = useMedia('(max-width: 1023px)');
  const [drawer, setDrawer] = useState(false);
  const [slim, setSlim] = useState(local.get('slim') === '1');
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const names = useStore(viewNames);
  const counts = useCounts();
  useFollowRights(entered);
  const parent = parentIn(entered.nav, route.parent);
  const active = activePage(entered.nav, view.path, addressIn(route.activeMenu ?? parent, view.params));
  const title = names[view.path] ?? t(route.title);

  useEffect(() => {
    document.title = `${title} · ${brand.name}`;
  }, [title, brand.name]);
  // Footprints: which screens a person opened. Losing one does no harm.
  useEffect(() => {
    void api(footprintCalls.visit, { path: view.path }, { hidden: true }).catch(() => {});
  }, [view.path]);
  useEffect(() => {
    if (isPublic(view.path) || route.path.startsWith('/error/')) return;
    const search = view.search.toString();
    visit({ to: search ? `${view.path}?${search}` : view.path, platform: entered.platform, title: route.title, name: names[view.path] });
  }, [view, route, entered.platform, names]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setPalette((now) => !now);
      } else if (event.key === 'F1') {
        event.preventDefault();
        setHelp((now) => !now);
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  const onMenu = () => {
    if (narrow) setDrawer(true);
    else {
      setSlim(!slim);
      local.set('slim', slim ? undefined : '1');
    }
  };
  return (
    <div className={help ? 'm-shell m-shell-help' : 'm-shell'}>
      <button type="button" className="m-plain m-skip" onClick={() => document.getElementById('main')?.focus()}>
        {t('shell.skip')}
      </button>
      {narrow ? (
        <Drawer open={drawer} title={brand.name} onClose={() => setDrawer(false)} side="start" width={280}>
          <Sidebar nav={entered.nav} active={active} counts={counts} onPick={() => setDrawer(false)} />
        </Drawer>
      ) : (
        <Sidebar nav={entered.nav} active={active} counts={counts} slim={slim || medium} />
      )}
      <div className="m-shell-body">
        <Topbar
          entered={entered}
          menu={narrow ? 'open' : slim ? 'expand' : 'collapse'}
          onMenu={onMenu}
          onPalette={() => setPalette(true)}
          onHelp={() => setHelp((now) => !now)}
        />
        <Unreachable />
        <main id="main" tabIndex={-1} className="m-main">
          <MfaOffer path={view.path} />
          <Breadcrumb parent={parent} title={title} active={active} path={view.path} params={view.params} />
          {children}
        </main>
        <StayingToasts />
      </div>
      <Downloads />
      {help ? (
        <Suspense fallback={null}>
          <HelpDrawer route={route.path} onClose={() => setHelp(false)} />
        </Suspense>
      ) : null}
      {palette ? <Palette nav={entered.nav} onClose={() => setPalette(false)} /> : null}
    </div>
  );
}

/** A page of both platforms stands below the list of the one that the person is on. */
const parentIn = (nav: Nav, parent: RouteSpec['parent']): string | undefined =>
  typeof parent === 'object' ? (parent.find((path) => activePage(nav, path, undefined) !== undefined) ?? parent[0]) : parent;
type Nav = Parameters<typeof activePage>[0];

/** On pages below a menu page: the way back. */
function Breadcrumb({
  parent,
  title,
  active,
  path,
  params,
}: {
  parent: string | undefined;
  title: string;
  active: ReturnType<typeof activePage>;
  path: string;
  params: Readonly<Record<string, string>>;
}) {
  const t = useT();
  const loose = useLooseT();
  const above = addressIn(parent, params) ?? (active?.url && active.url !== path ? active.url : undefined);
  if (!above || above === path) return null;
  return (
    <nav className="m-breadcrumb" aria-label={t('shell.breadcrumb')}>
      <Link to={above}>{active ? loose(`menu.${active.code}`, active.name) : t('shell.home')}</Link>
      <Icon name="right" />
      <span aria-current="page" className="m-clip">
        {title}
      </span>
    </nav>
  );
}

function Unreachable() {
  const t = useT();
  const { failures } = useStore(network);
  if (failures < 2) return null;
  return (
    <Note
      tone="warn"
      action={
        <Button small onClick={() => location.reload()}>
          {t('shell.reload')}
        </Button>
      }
    >
      {t('shell.offline')}
    </Note>
  );
}
