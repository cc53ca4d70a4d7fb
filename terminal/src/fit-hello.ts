import { InstalledApps } from '@mooring/contract/device/installed-apps';
import { HELLO_MAX } from '@mooring/contract/device/limits';
import type { Up } from '@mooring/contract/device/messages';

/** The envelope around it. */
const BESIDES = 512;

/** A hello that is taken as it is: texts of apps not longer than the server keeps them, and no more apps than there is room for. */
export function fitHello(data: Up['hello']): { readonly data: Up['hello']; readonly left: number } {
  const { apps: all = [], ...others } = data;
  let room = HELLO_MAX - BESIDES - Buffer.byteLength(JSON.stringify(others));
  const apps = InstalledApps.parse(all);
  const over = apps.findIndex((app) => {
    room -= Buffer.byteLength(JSON.stringify(app)) + 1;
    return room < 0;
  });
  const fitting = over < 0 ? apps : apps.slice(0, over);
  return { data: { ...data, apps: fitting }, left: all.length - fitting.length };
}
