import type { mapCalls } from '@mooring/contract/device/map/map-calls';
import { withKey } from '@mooring/contract/settings/map-tiles';
import type { Handler } from '../../../platform/module.ts';
import { readSetting } from '../../../platform/settings.ts';

/** Past the policies: a setting is one of the installation. */
export const mapTiles: Handler<typeof mapCalls.tiles> = async (ctx) => {
  const tiles = await ctx.unscoped((db) => readSetting(db, 'map'));
  return tiles.url === '' ? null : { url: withKey(tiles), attribution: tiles.attribution, maxZoom: tiles.maxZoom };
};
