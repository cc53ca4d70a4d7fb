import { originOf } from '@mooring/contract/settings/map-tiles';
import type { AppContext } from '../app-context.ts';
import { keptFresh } from '../gateway/kept-fresh.ts';
import { readSetting } from '../settings.ts';

const KEPT_MS = 5000;

/** The server of map tiles that consoles may ask for pictures. Where it can't be read a page comes all the same, with the bundled map alone. */
export function pictureOrigin(app: AppContext): () => Promise<string | undefined> {
  const read = keptFresh(
    KEPT_MS,
    () => app.now().getTime(),
    async () => originOf(await app.unscoped((db) => readSetting(db, 'map'))),
  );
  return () => read().catch(() => undefined);
}
