import { lazy, Suspense } from 'react';
import { prefix } from '../kit/base.ts';

const Screen = lazy(() => import('../features/stats/wall/wall-screen.tsx').then((found) => ({ default: found.WallScreen })));

/** `/dashboard?wall=1`: a screen of its own, without shell, session or router. Its token stands behind the mark, which reaches no server. */
export const isWall = (): boolean =>
  location.pathname === `${prefix}/dashboard` && new URLSearchParams(location.search).get('wall') === '1';

const tokenIn = (hash: string): string | undefined => (/^#mtk_[\w-]{20,100}$/.test(hash) ? hash.slice(1) : undefined);

export const Wall = () => (
  <Suspense>
    <Screen token={tokenIn(location.hash)} />
  </Suspense>
);
