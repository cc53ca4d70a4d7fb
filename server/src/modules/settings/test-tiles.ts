import { Fault } from '@mooring/contract/kit/fault';
import { withKey } from '@mooring/contract/settings/map-tiles';
import type { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import type { Handler } from '../../platform/module.ts';
import { sendOutside } from '../../platform/outbound/door.ts';
import { readSetting } from '../../platform/settings.ts';
import { t } from '../../platform/texts/translate.ts';
import { allowedNow, checkAdministrator } from './system-settings.ts';

const TIMEOUT_MS = 8000;

/** One tile with what is saved, asked by the server: whether there is a picture, and else what came. */
export const testTiles: Handler<typeof systemSettingCalls.testMap> = async (ctx) => {
  await checkAdministrator(ctx);
  const tiles = await ctx.unscoped((db) => readSetting(db, 'map'));
  if (tiles.url === '') throw new Fault('TILES_UNSET');
  const url = withKey(tiles).replaceAll('{z}', '1').replaceAll('{x}', '1').replaceAll('{y}', '0');
  ctx.audit({ target: new URL(url).hostname });
  try {
    const { status, headers } = await sendOutside({
      url,
      method: 'GET',
      headers: {},
      allowed: await allowedNow(ctx),
      timeoutMs: TIMEOUT_MS,
    });
    const type = String(headers['content-type'] ?? '').slice(0, 64);
    const delivered = status === 200 && type.startsWith('image/');
    return { delivered, error: delivered ? null : `HTTP ${status} ${type}`.trim() };
  } catch (error) {
    if (error instanceof Fault) return { delivered: false, error: t(ctx.lang, `fault.${error.fault}`) };
    return { delivered: false, error: String(error instanceof Error ? error.message : error).slice(0, 200) };
  }
};
