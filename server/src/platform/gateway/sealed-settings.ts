import type { Settings } from '@mooring/contract/device/messages';
import type { MasterKey } from '../config/master-key.ts';

const PURPOSE = 'offer-settings';
/** No setting is called so. */
const SEALED = '$sealed';

/** Values that nobody reads while they wait in the database: opened when they are sent. */
export const sealSettings = (key: MasterKey, { section, values }: Settings): Settings => ({
  section,
  values: { [SEALED]: key.seal(PURPOSE, Buffer.from(JSON.stringify(values))).toString('base64') },
});

/** The data of a message as its terminal gets it. */
export function openSettings(key: MasterKey, data: Record<string, unknown>): Record<string, unknown> {
  const settings = data.settings as Settings | undefined;
  const sealed = settings?.values?.[SEALED];
  if (typeof sealed !== 'string') return data;
  return { ...data, settings: { ...settings, values: JSON.parse(key.open(PURPOSE, Buffer.from(sealed, 'base64')).toString()) } };
}
