import { wallCalls } from '@mooring/contract/stats/calls';
import type { WallView } from '@mooring/contract/stats/schemas';
import { useEffect, useState } from 'react';
import { api } from '../../../kit/client.ts';
import { isCallError } from '../../../kit/outcome.ts';

const EVERY_MS = 10_000;

export interface Wall {
  readonly view: WallView | undefined;
  /** Its address opens nothing any more. */
  readonly gone: boolean;
  /** Since when nothing came. */
  readonly lostAt: number | undefined;
}

/** What the wall shows, asked again every ten seconds; while nothing comes the last picture stays, and says so. */
export function useWall(token: string | undefined): Wall {
  const [wall, setWall] = useState<Wall>({ view: undefined, gone: false, lostAt: undefined });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wanted = true;
    const ask = async () => {
      try {
        const view = await api(wallCalls.view, {}, { hidden: true, platform: 'manager', ...(token ? { token } : {}) });
        if (wanted) setWall({ view, gone: false, lostAt: undefined });
      } catch (error) {
        const isRefused = isCallError(error) && (error.code === 401 || error.code === 403);
        if (wanted) setWall((now) => ({ view: isRefused ? undefined : now.view, gone: isRefused, lostAt: now.lostAt ?? Date.now() }));
      }
      if (wanted) timer = setTimeout(ask, EVERY_MS);
    };
    void ask();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [token]);
  return wall;
}
