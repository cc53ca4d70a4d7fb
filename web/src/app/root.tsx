import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useBlocker, useLocation, useNavigate } from 'react-router';
import { isLeavingHeld } from '../kit/leaving.ts';
import { session, tokenOf, useSession } from '../kit/session.ts';
import { onTravel, type View } from '../kit/view.ts';
import { Confirm } from '../ui/dialog.tsx';
import { useStore } from '../ui/store.ts';
import { speech, useT } from '../ui/words.ts';
import { cross, enter, entry } from './entry.ts';
import { Entering, EntryFailed, Waiting } from './gate.tsx';
import { KeptPages, pageOf } from './kept-pages.tsx';
import { matchRoute } from './match.ts';
import { homeOf } from './menu.ts';
import { UnstableOverlay } from './overlay.tsx';
import { NotAllowed } from './plain-pages.tsx';
import { homes, NOT_FOUND, redirects, routes } from './routes.ts';
import { Shell } from './shell.tsx';

const ForcedPassword = lazy(() => import('./forced.tsx').then((found) => ({ default: found.ForcedPassword })));
const ForcedMfa = lazy(() => import('./forced.tsx').then((found) => ({ default: found.ForcedMfa })));

/** Between an address and its page stand texts, session and entry. */
export function Root() {
  const location = useLocation();
  const navigate = useNavigate();
  const spoken = Object.keys(useStore(speech).texts).length > 0;
  const now = useStore(entry);
  const { platform, deptId, user } = useSession();

  useEffect(() => onTravel((to, { replace = false, flushSync = false }) => void navigate(to, { replace, flushSync })), [navigate]);

  const found = matchRoute(routes, location.pathname, platform);
  // biome-ignore lint/correctness/useExhaustiveDependencies: parameters follow from route and address
  const view = useMemo(
    (): View => ({ path: location.pathname, params: found?.params ?? {}, search: new URLSearchParams(location.search), active: true }),
    [location.pathname, location.search, found?.route.path],
  );
  const token = tokenOf(platform);
  const leadsOn = redirects.has(location.pathname);
  const nowhere = !found && !leadsOn;
  const open = found?.route.open === true || (!token && found?.route.path === NOT_FOUND);

  const [refused, setRefused] = useState<string>();
  const target = leadsOn ? redirects.get(location.pathname) : found?.route.platform;
  const elsewhere = !open && target !== undefined && target !== platform;
  const entered = now.state === 'in' && now.platform === platform ? now : undefined;

  useEffect(() => {
    if (open) return;
    if (!token) {
      if (!spoken) return;
      if (nowhere) return void navigate(NOT_FOUND, { replace: true });
      const back = location.pathname === '/' ? '' : `to=${encodeURIComponent(location.pathname + location.search)}`;
      const ended = now.state === 'out' && now.ended ? 'ended=1' : '';
      const search = [ended, back].filter(Boolean).join('&');
      void navigate(`/login${search ? `?${search}` : ''}`, { replace: true });
    } else if (now.state === 'out') void enter(platform);
    else if (now.state === 'wait' && location.pathname !== now.path) void navigate(now.path, { replace: true });
  }, [spoken, open, nowhere, token, now, platform, location, navigate]);

  // The page comes while who is asking is still being found out.
  useEffect(() => {
    if (found && (open || token)) void pageOf(found.route).catch(() => {});
  }, [found, open, token]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: led on once for each address and entry
  useEffect(() => {
    if (!entered) return;
    const home = homeOf(entered.nav, homes[platform]) ?? homes[platform];
    if (nowhere) void navigate(NOT_FOUND, { replace: true });
    else if (elsewhere && target && user?.platforms.includes(target)) cross(target).catch(() => setRefused(location.pathname));
    else if (leadsOn) void navigate(home, { replace: true });
    else if (elsewhere) setRefused(location.pathname);
  }, [entered, location.pathname, found?.route, elsewhere]);

  if (!spoken) return <UnstableOverlay />;
  if (open && found) {
    const page = <KeptPages route={found.route} view={view} place="open" />;
    // The doors bring a frame of their own; that there is no such page is said without one.
    return found.route.open ? page : <main>{page}</main>;
  }
  if (!token || now.state === 'out') return <Entering />;
  if (now.state === 'password' || now.state === 'mfa')
    return <Suspense fallback={<Entering />}>{now.state === 'mfa' ? <ForcedMfa /> : <ForcedPassword reason={now.reason} />}</Suspense>;
  if (now.state === 'wait')
    return found && location.pathname === now.path ? (
      <Waiting>
        <KeptPages route={found.route} view={view} place="wait" />
      </Waiting>
    ) : (
      <Entering />
    );
  if (now.state === 'failed') return <EntryFailed failed={now} />;
  if (!entered || !found) return <Entering />;
  const notAllowed = elsewhere && refused === location.pathname && target;
  return (
    <Shell entered={entered} route={found.route} view={view}>
      {notAllowed ? (
        <NotAllowed platform={notAllowed} />
      ) : elsewhere ? (
        <Entering />
      ) : (
        <KeptPages
          key={`${platform}:${deptId}:${session.get().user?.id}`}
          route={found.route}
          view={view}
          place={`${platform}:${deptId}`}
        />
      )}
    </Shell>
  );
}

/** What shows another form when it changes; the rest of the page's own search part leaves nothing. */
const PARTS = ['tab', 'line'];
interface Place {
  readonly pathname: string;
  readonly search: string;
}
function leaves(from: Place, to: Place): boolean {
  const [was, is] = [new URLSearchParams(from.search), new URLSearchParams(to.search)];
  return from.pathname !== to.pathname || PARTS.some((part) => was.get(part) !== is.get(part));
}

/** Unsaved changes are asked about before they are left. */
export function LeaveQuestion() {
  const t = useT();
  const blocker = useBlocker(({ currentLocation, nextLocation }) => leaves(currentLocation, nextLocation) && isLeavingHeld());
  return (
    <Confirm
      open={blocker.state === 'blocked'}
      title={t('kit.leave.title')}
      confirm={t('kit.leave.go')}
      cancel={t('kit.leave.stay')}
      danger
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    >
      {t('kit.leave.text')}
    </Confirm>
  );
}
