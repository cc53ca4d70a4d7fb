import type { OutputOf } from '@mooring/contract/kit/call';
import type { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import type { ParamLevelKind, Place, Source } from '@mooring/contract/paramfile/resolve';
import { t } from '../../ui/words.ts';

export type LevelView = OutputOf<typeof paramLevelCalls.read>;
export type PlaceOf = Pick<Place, 'level' | 'id'>;

interface PlaceInput {
  readonly deptId?: number;
  readonly merchantId?: number;
  readonly shopId?: number;
  readonly deviceId?: number;
}
const inputs: Readonly<Record<ParamLevelKind, (id: number) => PlaceInput>> = {
  org: (deptId) => ({ deptId }),
  merchant: (merchantId) => ({ merchantId }),
  shop: (shopId) => ({ shopId }),
  device: (deviceId) => ({ deviceId }),
};
/** A place as calls take it. */
export const placeInput = ({ level, id }: PlaceOf): PlaceInput => inputs[level](id);

/** A merchant of an organisation above has no name for those below. */
export const placeWords = ({ level, name }: Place): string =>
  name || t('paramLevel.from.hidden', { level: t(`paramLevel.level.${level}`) });
export const sourceWords = (from: Source): string =>
  typeof from === 'string' ? t(`paramLevel.from.${from}`) : t('paramLevel.from', { place: placeWords(from) });
